/**
 * What the declarations of playwright-core and axe-core take from the browser's. Names only: with the
 * real ones (`lib: ["dom"]`) any file of the package could use `window`, which is not there in Node.
 */
interface Node {}
interface NodeList {}
interface Element {}
interface HTMLElement {}
interface SVGElement {}
interface HTMLElementTagNameMap {}
interface DOMRect {}
interface Document {}
interface Window {}
