/** A body in its best form: JSON with its structure, images as such, text, and anything else byte by byte. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Copy } from './copy.tsx';
import { Form } from './form-data.tsx';
import { type FormFields, multipartFields, urlEncodedFields } from './form-fields.ts';
import { hexOf, bytes as inBytes } from './format.ts';
import { Json } from './json.tsx';
import { indentedJson, isJson } from './json-text.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export interface BodySummary {
  /** Bytes of the original. */
  readonly size: number;
  /** True if only its beginning was kept. */
  readonly isCut: boolean;
  /** The Content-Encoding; '' if there is none. */
  readonly encoding: string;
  readonly contentType: string;
}

interface BodyViewParts {
  /** Such as `request body`. */
  readonly what: string;
  readonly summary: BodySummary;
  readonly content: Bytes;
}

export function BodyView({ what, summary, content }: BodyViewParts) {
  const isRaw = useSignal(false);
  return (
    <div class="body">
      <p class="remark">
        {summary.contentType || 'no type said'}, {inBytes(summary.size)}
        {summary.encoding !== '' && `, ${summary.encoding} as it went by`}
        {summary.isCut && <strong> Only its beginning was kept.</strong>}{' '}
        <button type="button" aria-pressed={isRaw.value} onClick={() => (isRaw.value = !isRaw.value)}>
          As it is
        </button>{' '}
        <CopyBody what={what} content={content} type={summary.contentType} />
      </p>
      <Content content={content} type={summary.contentType} isRaw={isRaw.value} />
    </div>
  );
}

function CopyBody({ what, content, type }: { what: string; content: Bytes; type: string }) {
  const text = textOf(content, type);
  if (text !== null) return <Copy what={what} label={`Copy ${what}`} text={text} />;
  return <Copy what={`${what} as Base64`} label={`Copy ${what} as Base64`} text={() => base64Of(content)} />;
}

function base64Of(content: Bytes): string {
  return btoa(Array.from(content, (byte) => String.fromCharCode(byte)).join(''));
}

function Content({ content, type, isRaw }: { content: Bytes; type: string; isRaw: boolean }) {
  const text = textOf(content, type);
  if (!isRaw) {
    if (/^image\//i.test(type)) return <Image content={content} type={type} />;
    const form = formOf(content, type, text);
    if (form !== null) return <Form form={form} />;
    const json = text !== null && JSON_TYPE.test(type) ? indentedJson(text) : null;
    if (json !== null) return <Json text={json} />;
  }
  return text === null ? <pre class="hex">{hexOf(content)}</pre> : <pre>{text}</pre>;
}

/** Programs send JSON with the type of a form if they were not given another one. */
const JSON_TYPE = /[/+]json\b|^application\/x-www-form-urlencoded/i;

/** Null: no form. */
function formOf(content: Bytes, type: string, text: string | null): FormFields | null {
  if (/^\s*multipart\//i.test(type)) return multipartFields(content, type);
  if (text === null || !/^\s*application\/x-www-form-urlencoded/i.test(type)) return null;
  return isJson(text) ? null : urlEncodedFields(text);
}

function Image({ content, type }: { content: Bytes; type: string }) {
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

/** A decoder for the charset of the type; UTF-8 if the type has none, or an unknown one. */
function decoderFor(type: string): TextDecoder {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(type) ?? [];
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
