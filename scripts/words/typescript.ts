/** Finds the comments and the prose strings of a TypeScript or JavaScript file. */
import { SyntaxKind } from 'typescript/unstable/ast';
import { createScanner, type Scanner } from 'typescript/unstable/ast/scanner';
import { commentLines, isDirective, type Text, type TextKind } from './text.ts';

interface Token {
  readonly kind: SyntaxKind;
  readonly start: number;
  readonly text: string;
}

/** Fewer words are a name, a header field or a test's input. */
const LEAST_WORDS_OF_A_MESSAGE = 4;
/** SQL and markup. */
const NO_PROSE =
  /\b(SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM|(CREATE|ALTER) [A-Z]+|PRAGMA|WHERE)\b|^\s*</;

/** `withMessages`: strings count, too; false for tests, whose strings are inputs. */
export function textsOfTypeScript(file: string, withMessages: boolean): readonly Text[] {
  const source = file.replace(/^#!.*/, '');
  const texts: Text[] = [];
  let hasCode = false;
  let previous: { readonly text: Text; readonly end: number } | null = null;
  for (const token of tokens(source)) {
    if (isComment(token.kind)) {
      if (isDirective(token.text)) continue;
      const isLine = token.kind === SyntaxKind.SingleLineCommentTrivia;
      const kind: TextKind = isHeader(texts, hasCode)
        ? 'header'
        : token.text.startsWith('/**')
          ? 'doc'
          : 'comment';
      const continued: boolean =
        isLine && previous !== null && /^\n[ \t]*$/.test(source.slice(previous.end, token.start));
      const lines = commentLines(token.text);
      const text: Text =
        continued && previous !== null
          ? { ...previous.text, lines: [...previous.text.lines, ...lines] }
          : { kind, line: lineAt(source, token.start), lines };
      if (continued) texts.pop();
      texts.push(text);
      previous =
        isLine && isAlone(source, token.start) ? { text, end: token.start + token.text.length } : null;
    } else if (!isTrivia(token.kind)) {
      hasCode = true;
      previous = null;
      if (withMessages && isString(token.kind) && isProse(token.text)) {
        texts.push({ kind: 'message', line: lineAt(source, token.start), lines: stringLines(token.text) });
      }
    }
  }
  return texts;
}

function isHeader(texts: readonly Text[], hasCode: boolean): boolean {
  return !hasCode && texts.length === 0;
}

const isAlone = (source: string, start: number): boolean =>
  source.slice(source.lastIndexOf('\n', start) + 1, start).trim() === '';

/** Yields every token, comments included. Templates are one token each from `{` to `}`. */
function* tokens(source: string): Generator<Token> {
  const scanner = createScanner(false);
  scanner.setText(source);
  /** Braces open since each template that is still open. */
  const templates: number[] = [];
  let last = SyntaxKind.Unknown;
  for (;;) {
    const kind = nextKind(scanner, last, templates);
    if (kind === SyntaxKind.EndOfFile) return;
    yield { kind, start: scanner.getTokenStart(), text: scanner.getTokenText() };
    if (!isTrivia(kind)) last = kind;
  }
}

function nextKind(scanner: Scanner, last: SyntaxKind, templates: number[]): SyntaxKind {
  let kind = scanner.scan();
  if ((kind === SyntaxKind.SlashToken || kind === SyntaxKind.SlashEqualsToken) && !endsValue(last)) {
    return scanner.reScanSlashToken();
  }
  const depth = templates.length - 1;
  if (kind === SyntaxKind.OpenBraceToken && depth >= 0) templates[depth] = (templates[depth] ?? 0) + 1;
  if (kind === SyntaxKind.CloseBraceToken && depth >= 0) {
    if (templates[depth] === 0) {
      kind = scanner.reScanTemplateToken(false);
      if (kind === SyntaxKind.TemplateTail) templates.pop();
    } else {
      templates[depth] = (templates[depth] ?? 0) - 1;
    }
  } else if (kind === SyntaxKind.TemplateHead) {
    templates.push(0);
  }
  return kind;
}

/** True if a slash after the token divides; otherwise it begins a regular expression. */
function endsValue(kind: SyntaxKind): boolean {
  return (
    kind === SyntaxKind.Identifier ||
    kind === SyntaxKind.NumericLiteral ||
    kind === SyntaxKind.BigIntLiteral ||
    kind === SyntaxKind.StringLiteral ||
    kind === SyntaxKind.NoSubstitutionTemplateLiteral ||
    kind === SyntaxKind.TemplateTail ||
    kind === SyntaxKind.RegularExpressionLiteral ||
    kind === SyntaxKind.CloseParenToken ||
    kind === SyntaxKind.CloseBracketToken ||
    kind === SyntaxKind.CloseBraceToken ||
    kind === SyntaxKind.ThisKeyword
  );
}

const isComment = (kind: SyntaxKind): boolean =>
  kind === SyntaxKind.SingleLineCommentTrivia || kind === SyntaxKind.MultiLineCommentTrivia;

const isTrivia = (kind: SyntaxKind): boolean =>
  isComment(kind) || kind === SyntaxKind.WhitespaceTrivia || kind === SyntaxKind.NewLineTrivia;

const isString = (kind: SyntaxKind): boolean =>
  kind === SyntaxKind.StringLiteral ||
  kind === SyntaxKind.NoSubstitutionTemplateLiteral ||
  kind === SyntaxKind.TemplateHead ||
  kind === SyntaxKind.TemplateMiddle ||
  kind === SyntaxKind.TemplateTail;

function isProse(raw: string): boolean {
  const text = raw.slice(1, -1);
  const words = text.match(/(?<=^|[\s"'(])[A-Za-z][a-z']*(?=$|[\s.,;:!?)"'])/g);
  return !NO_PROSE.test(text) && (words?.length ?? 0) >= LEAST_WORDS_OF_A_MESSAGE;
}

const stringLines = (raw: string): readonly string[] =>
  raw
    .slice(1)
    .replace(/(\$\{|['"`])$/, '')
    .replaceAll(/\\n/g, ' ')
    .replaceAll(/\\(['"`])/g, '$1')
    .split('\n');

function lineAt(source: string, offset: number): number {
  let line = 1;
  for (let at = source.indexOf('\n'); at !== -1 && at < offset; at = source.indexOf('\n', at + 1)) line++;
  return line;
}
