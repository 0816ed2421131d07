/** Of a partition: strong for the lines of its texture, pale for what lies between them. */
export interface Colour {
  readonly full: string;
  readonly tint: string;
}

/** No red: that is the collapse. */
export const palette: readonly { readonly light: Colour; readonly dark: Colour }[] = [
  {
    light: { full: '#0072b2', tint: '#cfe6f4' },
    dark: { full: '#4aa8e0', tint: '#16364a' },
  },
  {
    light: { full: '#c2540a', tint: '#fbe3d2' },
    dark: { full: '#f29a54', tint: '#4a2a12' },
  },
  {
    light: { full: '#7a4a8c', tint: '#ebdff0' },
    dark: { full: '#cf9be0', tint: '#3c2745' },
  },
  {
    light: { full: '#3d6b35', tint: '#dcebd8' },
    dark: { full: '#8fca83', tint: '#223a1d' },
  },
  {
    light: { full: '#7d6000', tint: '#f5ecb8' },
    dark: { full: '#d9bd4a', tint: '#3d340c' },
  },
  {
    light: { full: '#a82a78', tint: '#f8dcec' },
    dark: { full: '#f08cc4', tint: '#4a1c38' },
  },
  {
    light: { full: '#00736b', tint: '#c9ebe6' },
    dark: { full: '#4fcfc2', tint: '#0d3b37' },
  },
  {
    light: { full: '#4d545c', tint: '#dfe3e8' },
    dark: { full: '#bcc4ce', tint: '#363d45' },
  },
];

/** As properties that the page's own style and the textures use. */
export const colourProperties = (scheme: 'light' | 'dark'): string =>
  palette
    .map(
      ({ [scheme]: { full, tint } }, index) =>
        `--colour-${index}: ${full}; --tint-${index}: ${tint};`,
    )
    .join('\n  ');
