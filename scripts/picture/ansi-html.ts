/** Renders what a terminal shows, with its SGR sequences, as HTML. */

/** The colours 0 to 15 of a dark terminal. */
const PALETTE = [
  ...['#2e3440', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#c8ccd4'],
  ...['#7f8797', '#f0828b', '#aede90', '#f3d28f', '#7dc3ff', '#d998ee', '#70cdd8', '#ffffff'],
];
// biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences begin with ESC.
const SGR = /\x1b\[([0-9;]*)m/;

interface Style {
  readonly colour?: string | undefined;
  readonly background?: string | undefined;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly reverse?: boolean;
}

/** `text`: lines as `tmux capture-pane -e` prints them. Returns escaped HTML for a `pre` element. */
export function ansiToHtml(text: string): string {
  let style: Style = {};
  let html = '';
  text.split(SGR).forEach((part, index) => {
    if (index % 2 === 1) for (const code of part.split(';')) style = styleAfter(style, Number(code));
    else if (part !== '') html += `<span style="${css(style)}">${escaped(part)}</span>`;
  });
  return html;
}

function styleAfter(style: Style, code: number): Style {
  if (code === 0) return {};
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 7) return { ...style, reverse: true };
  if (code >= 30 && code <= 37) return { ...style, colour: PALETTE[code - 30] };
  if (code >= 90 && code <= 97) return { ...style, colour: PALETTE[code - 82] };
  if (code >= 40 && code <= 47) return { ...style, background: PALETTE[code - 40] };
  return code === 39 ? { ...style, colour: undefined } : style;
}

function css({ colour, background, bold, dim, reverse }: Style): string {
  const [front = 'inherit', back = 'transparent'] = reverse
    ? [background ?? '#1b1f27', colour ?? '#c8ccd4']
    : [colour, background];
  return `color:${front};background:${back};${bold ? 'font-weight:600;' : ''}${dim ? 'opacity:.65;' : ''}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
