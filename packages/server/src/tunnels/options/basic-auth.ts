/**
 * Option `BasicAuth`: `{"credentials": [{"username", "cleartext_password"}]}`, with a bcrypt `hashed_password`
 * instead of the clear one. Older agents use `Auth`, `user:password`, for the same.
 */

import { field } from '@underpass/wire';
import { isBcryptHash } from '../../access/bcrypt.ts';
import { clearLogin, hashedLogin, type Login } from '../../access/passwords.ts';
import { Problem } from '../../errors/problem.ts';
import type { AgentBasicAuth } from '../../online/agent-modules.ts';
import { isObject, malformed, shown, textField } from './fields.ts';
import type { ModuleOption, OptionContext } from './option.ts';

const maxLogins = 20;
const passwordLength = { minimum: 8, maximum: 128 };

export const basicAuthOption: ModuleOption<AgentBasicAuth> = {
  option: 'BasicAuth',
  asksByPresence: true,
  fields: ['credentials'],
  read(sent, context) {
    const credentials: unknown = field(sent, 'credentials') ?? [];
    if (!Array.isArray(credentials)) throw malformed(context.reading, 'credentials must be a list');
    if (credentials.length === 0) throw new Problem('bindLoginsMissing');
    if (credentials.length > maxLogins) throw new Problem('bindLoginCount', { limit: maxLogins });
    return { enabled: true, logins: credentials.map((one: unknown) => readLogin(one, context)) };
  },
};

function readLogin(credential: unknown, { reading }: OptionContext): Login {
  if (!isObject(credential)) throw malformed(reading, 'each of the credentials must be an object');
  const user = textField(credential, 'username', reading);
  const hash = textField(credential, 'hashed_password', reading);
  const clear = textField(credential, 'cleartext_password', reading);
  checkUser(user);
  if (hash === '') return readClear(user, clear);
  if (clear !== '' || !isBcryptHash(hash)) throw new Problem('bindPasswordHash', { user: shown(user) });
  return hashedLogin(user, hash);
}

/** `user:password`. */
export function readAuth(text: string): AgentBasicAuth {
  const colon = text.indexOf(':');
  const user = colon === -1 ? '' : text.slice(0, colon);
  checkUser(user);
  return { enabled: true, logins: [readClear(user, text.slice(colon + 1))] };
}

/** A name ends at the first colon of what a visitor sends (RFC 7617, section 2). */
function checkUser(user: string): void {
  if (user === '' || user.includes(':')) throw new Problem('bindUserMissing');
}

function readClear(user: string, password: string): Login {
  const actual = password.length;
  const { minimum, maximum } = passwordLength;
  if (actual < minimum || actual > maximum)
    throw new Problem('bindPasswordLength', { actual, minimum, maximum });
  return clearLogin(user, password);
}
