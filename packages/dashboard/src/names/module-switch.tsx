/** The modules of a part of the way, each with its state, and a switch for users who may write. */
import { useSignal } from '@preact/signals';
import { announce } from '@underpass/ui/announce.tsx';
import { attempt } from '@underpass/ui/attempt.ts';
import type { Json } from '@underpass/ui/form/openapi.ts';
import { writableOf } from '@underpass/ui/form/writable.ts';
import { invalidate } from '../api/cache.ts';
import { send } from '../api/http.ts';
import { requireReference } from '../api/reference.ts';
import { mayWrite } from '../api/session.ts';
import { moduleWord } from './words.ts';

/** The modules in the order of a request. */
const ORDER = [
  ...['mutual_tls', 'ip_restriction', 'user_agent_filter', 'webhook_verification', 'circuit_breaker'],
  ...[
    'saml',
    'oidc',
    'oauth',
    'websocket_tcp_converter',
    'request_headers',
    'response_headers',
    'compression',
  ],
] as const;

export type Row = { readonly [key: string]: Json };

interface ModulesParts {
  readonly row: Row;
  /** Path of the resource that has the modules. */
  readonly path: string;
  /** Template of the path in the reference, such as `/edges/tls/{id}`. */
  readonly template: string;
  /** The place in words, such as `/admin`. */
  readonly place: string;
}

export function Modules({ row, ...place }: ModulesParts) {
  const set = ORDER.filter((name) => isModule(row[name]));
  if (set.length === 0) return <span class="remark">no modules</span>;
  return (
    <ul class="modules" aria-label={`Modules of ${place.place}`}>
      {set.map((name) => (
        <li key={name}>
          <Switch {...place} row={row} name={name} />
        </li>
      ))}
    </ul>
  );
}

function Switch({ row, name, path, template, place }: ModulesParts & { readonly name: string }) {
  const isBusy = useSignal(false);
  const isOn = isEnabled(row[name]);
  const word = moduleWord(name);
  if (!mayWrite())
    return (
      <span class={isOn ? 'module' : 'module off'}>
        {word} {isOn ? 'on' : 'off'}
      </span>
    );
  const change = () =>
    attempt(async () => {
      isBusy.value = true;
      try {
        await switchModule(path, template, name, !isOn);
        announce(`${word} is ${isOn ? 'off' : 'on'}`);
      } finally {
        isBusy.value = false;
      }
    });
  return (
    <button
      type="button"
      role="switch"
      class={isOn ? 'module' : 'module off'}
      aria-checked={isOn}
      aria-label={`${word} of ${place}`}
      disabled={isBusy.value}
      onClick={() => void change()}
    >
      {word} {isOn ? 'on' : 'off'}
    </button>
  );
}

/** Sends the stored module with the other state, and the tag of the version that it was read from. */
async function switchModule(path: string, template: string, name: string, enabled: boolean): Promise<void> {
  const schema = (await requireReference()).operationAt('PATCH', template)?.body?.schema;
  if (schema === undefined) throw new Error('This resource cannot be changed.');
  const { data, etag } = await send<Json>({ method: 'GET', path });
  const stored = writableOf(await requireReference(), schema, data) as Row;
  const module = { ...(stored[name] as Row | undefined), enabled };
  await send({ method: 'PATCH', path, body: { [name]: module }, ifMatch: etag });
  invalidate('/edges', '/names');
}

function isModule(value: Json | undefined): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && 'enabled' in value;
}

export function isEnabled(value: Json | undefined): boolean {
  return isModule(value) && value.enabled === true;
}
