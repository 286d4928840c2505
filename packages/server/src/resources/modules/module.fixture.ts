/** Runs a module by itself, as the engine would for a PUT. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type Cidr, parseCidr } from '../../core/ip/cidr.ts';
import { isFault, parseHostname } from '../../core/names/hostname.ts';
import type { ErrorName } from '../../errors/catalogue.ts';
import { Problem, type ProblemDetails } from '../../errors/problem.ts';
import { Sealer } from '../../pki/seal.ts';
import type { JsonObject } from '../../store/store.ts';
import type { ModuleContext, ShowContext, StoredModule } from '../definition.ts';
import { validate } from '../validate.ts';

export const sealer = new Sealer(randomBytes(32));
export const resource = 'ec_0ujtsYcgvSTl8PAuAdqWYSMnLOv';

function settings(publicPort: number): ModuleContext['settings'] {
  const domain = parseHostname('tunnels.example.com');
  assert.ok(!isFault(domain));
  const errorCodeHeader = 'underpass-error-code';
  const allowPrivate = [parseCidr('127.0.0.0/8') as Cidr, parseCidr('::1/128') as Cidr];
  const google = { clientId: 'of the operator', clientSecret: 's3cret' };
  const oauthClients = new Map([['google', google]] as const);
  return { domain, publicPort, errorCodeHeader, allowPrivate, oauthClients };
}

/** Returns the stored form of a body; `current` is the stored configuration before. */
export async function stored<Config extends JsonObject>(
  module: StoredModule<Config>,
  body: unknown,
  current: Config | null = null,
): Promise<Config> {
  const principal = { account: 'ac_1' };
  const context = { principal, settings: settings(443), sealer, now: Date.now, current };
  return module.parse(validate(module.write, body), '', context);
}

export function shown<Config extends JsonObject>(
  module: StoredModule<Config>,
  config: Config,
  publicPort = 443,
): JsonObject {
  const context = { settings: settings(publicPort) } as ShowContext;
  const answer = module.show(config, context, resource);
  assert.deepEqual(Object.keys(answer).sort(), Object.keys(module.read.properties).sort());
  return answer;
}

/** Stores a body and returns the module as it is shown. */
export async function put<Config extends JsonObject>(
  module: StoredModule<Config>,
  body: unknown,
): Promise<JsonObject> {
  return shown(module, await stored(module, body));
}

export async function refusedBy<Config extends JsonObject>(
  module: StoredModule<Config>,
  body: unknown,
  code: ErrorName,
  details: ProblemDetails,
  current: Config | null = null,
): Promise<void> {
  await assert.rejects(stored(module, body, current), (error) => {
    assert.ok(error instanceof Problem, String(error));
    assert.equal(error.code, code, error.message);
    assert.doesNotMatch(error.message, /\{[a-z]\w*\}/i, 'every placeholder is filled');
    for (const [key, value] of Object.entries(details)) {
      assert.deepEqual(error.details[key as keyof ProblemDetails], value, key);
    }
    return true;
  });
}
