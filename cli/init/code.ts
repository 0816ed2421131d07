import type { File, Node, Program } from '@babel/types';
import { Names } from './names.ts';
import { endOf, startOf } from './walk.ts';

/** A file that has been read and parsed. */
export class Code {
  readonly file: string;
  readonly text: string;
  readonly program: Program;
  readonly names: Names;
  readonly newline: string;
  /** It imports; else it requires. */
  readonly imports: boolean;

  constructor(file: string, text: string, { program }: File) {
    this.file = file;
    this.text = text;
    this.program = program;
    this.names = new Names(program);
    this.newline = text.includes('\r\n') ? '\r\n' : '\n';
    this.imports = program.sourceType === 'module' || program.body.some(isImportRequire);
  }

  of(node: Node): string {
    return this.text.slice(startOf(node), endOf(node));
  }

  /** What stands before the first word of the line. */
  indentAt(offset: number): string {
    const line = this.text.slice(this.text.lastIndexOf('\n', offset - 1) + 1);
    return /^[ \t]*/.exec(line)?.[0] ?? '';
  }

  /** The end of the line, if there is only a comment on the rest of it; else this offset itself. */
  lineEnd(offset: number): number {
    const rest = /^[^\r\n]*/.exec(this.text.slice(offset))?.[0] ?? '';
    const blank = /^[ \t]*(?:\/\/.*|(?:\/\*(?:(?!\*\/).)*\*\/[ \t]*)?)$/.test(rest);
    return blank ? offset + rest.length : offset;
  }

  /** The offset of the next thing that is no blank and no comment. */
  next(offset: number): number {
    const skipped = /^(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*/.exec(this.text.slice(offset))?.[0] ?? '';
    return offset + skipped.length;
  }

  /** A statement at the top that loads a module. */
  loads(node: Node): boolean {
    if (node.type === 'ImportDeclaration' || isImportRequire(node)) return true;
    return (
      node.type === 'VariableDeclaration' &&
      node.declarations.some(({ init }) => init && this.of(init).startsWith('require('))
    );
  }

  get lastLoad(): Node | undefined {
    return this.program.body.findLast((one) => this.loads(one));
  }
}

const isImportRequire = ({ type }: Node): boolean => type === 'TSImportEqualsDeclaration';
