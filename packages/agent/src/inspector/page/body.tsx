/** A body as it is read best: JSON with its structure, images as such, text, and anything else byte by byte. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { BodySummary } from '../api-types.ts';
import { indentedJson } from '../json-text.ts';
import { getBytes } from './api.ts';
import { bytes as inBytes } from './format.ts';
import { Json } from './json.tsx';
import { attempt } from './state.ts';

interface BodyParts {
  readonly path: string;
  readonly summary: BodySummary;
  /** It is asked for again when this is another. */
  readonly version: number;
}

export function Body({ path, summary, version }: BodyParts) {
  const content = useSignal<Uint8Array<ArrayBuffer> | null>(null);
  const isRaw = useSignal(false);
  useEffect(() => {
    if (summary.size === 0) return;
    const gone = new AbortController();
    void attempt(async () => {
      content.value = await getBytes(path, gone.signal);
    });
    return () => gone.abort();
  }, [path, version]);
  if (summary.size === 0) return <p class="nothing">No body.</p>;
  if (content.value === null) return <p class="nothing">…</p>;
  return (
    <div class="body">
      <p class="remark">
        {summary.contentType || 'no type said'}, {inBytes(summary.size)}
        {summary.encoding !== '' && `, ${summary.encoding} as it went by`}
        {summary.isCut && <strong> Only its beginning was kept.</strong>}{' '}
        <button type="button" aria-pressed={isRaw.value} onClick={() => (isRaw.value = !isRaw.value)}>
          As it is
        </button>
      </p>
      <Content content={content.value} type={isRaw.value ? '' : summary.contentType} />
    </div>
  );
}

function Content({ content, type }: { content: Uint8Array<ArrayBuffer>; type: string }) {
  if (/^image\//i.test(type)) return <Image content={content} type={type} />;
  const text = textOf(content, type);
  if (text === null) return <pre class="hex">{hexOf(content)}</pre>;
  if (/[/+]json\b/i.test(type)) {
    const json = indentedJson(text);
    if (json !== null) return <Json text={json} />;
  }
  return <pre>{text}</pre>;
}

function Image({ content, type }: { content: Uint8Array<ArrayBuffer>; type: string }) {
  const url = useSignal('');
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([content], { type: type.split(';')[0] ?? '' }));
    url.value = made;
    return () => URL.revokeObjectURL(made);
  }, [content, type, url]);
  return url.value === '' ? null : <img src={url.value} alt="The body" />;
}

/** Null: no text. A character that was cut at the end is left out. */
function textOf(content: Uint8Array, type: string): string | null {
  const text = decoderFor(type).decode(content, { stream: true });
  return text.includes('\0') || text.includes('\ufffd') ? null : text;
}

/** Of UTF-8 where the type says nothing else, or what nobody knows. */
function decoderFor(type: string): TextDecoder {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(type) ?? [];
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

const HEX_MAX = 4_096;
const HEX_LINE = 16;

function hexOf(content: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < Math.min(content.length, HEX_MAX); at += HEX_LINE) {
    const line = [...content.subarray(at, at + HEX_LINE)];
    const hex = line.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const ascii = line
      .map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.'))
      .join('');
    lines.push(`${at.toString(16).padStart(6, '0')}  ${hex.padEnd(3 * HEX_LINE)} ${ascii}`);
  }
  return lines.join('\n');
}
