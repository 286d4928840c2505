/**
 * ID tokens of malicious providers.
 * Invariant: a token with a wrong signature or wrong claims is rejected, and fails as a login only.
 */
import assert from 'node:assert/strict';
import { sign } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../../test/harness/any-character.ts';
import { propertyRuns } from '../../../../test/harness/property-runs.ts';
import { type Cidr, parseCidr } from '../core/ip/cidr.ts';
import { CrookedProvider, keys, signed } from './crooked-provider.fixture.ts';
import { LoginFault } from './login-fault.ts';
import { openOidc } from './open-oidc.ts';
import type { LoginUser } from './session.ts';

const flow = {
  redirectUri: 'https://app.example.com/underpass/callback',
  state: 'a-state',
  nonce: 'a-nonce',
  verifier: 'v'.repeat(43),
};

type Json = Readonly<Record<string, unknown>>;

const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('RS256', 'none', 'HS256', 'shop', 'a-nonce', '__proto__', '\0', 1e308, -1, 2 ** 53),
  fc.string({ unit: anyCharacter, maxLength: 300 }),
);
const changed = (...names: readonly string[]): fc.Arbitrary<Json> =>
  fc.dictionary(fc.constantFrom(...names), anything, { minKeys: 1, maxKeys: 2 });

const base64url = (text: string | Buffer): string => Buffer.from(text).toString('base64url');

test('no token lets another user in, and each is refused as a login only', async (t) => {
  const provider = await CrookedProvider.start(t);
  provider.nonce = flow.nonce;
  const settings = { issuer: provider.issuer, clientId: 'shop', clientSecret: 'secret', scopes: [] };
  const client = openOidc(
    settings,
    { account: 'ac_1', allowPrivate: [parseCidr('127.0.0.0/8') as Cidr, parseCidr('::1/128') as Cidr] },
    () => 0,
  );
  /** Null: it was refused. */
  const userBy = async (tokenOf: (claims: Json) => string): Promise<LoginUser | null> => {
    provider.tokenOf = tokenOf;
    try {
      const come = new URLSearchParams({ code: 'c', state: flow.state });
      return (await client.userOf(come, flow)).user;
    } catch (error) {
      assert.ok(error instanceof LoginFault, String(error));
      return null;
    }
  };
  const runs = { numRuns: propertyRuns(400) };

  await fc.assert(
    fc.asyncProperty(changed('alg', 'kid', 'crit', 'b64', 'typ', 'jwk', 'x5c', 'zip'), async (header) => {
      const right = { alg: 'RS256', kid: 'one' };
      const user = await userBy((claims) => {
        const text = `${base64url(JSON.stringify({ ...right, ...header }))}.${base64url(JSON.stringify(claims))}`;
        return `${text}.${sign('sha256', Buffer.from(text), keys.privateKey).toString('base64url')}`;
      });
      if (user === null) return;
      assert.equal(user.id, 'ada');
      assert.ok(!('alg' in header) || header.alg === 'RS256', JSON.stringify(header));
      assert.ok(!('crit' in header), JSON.stringify(header));
    }),
    runs,
  );

  await fc.assert(
    fc.asyncProperty(
      changed(
        'iss',
        'aud',
        'azp',
        'sub',
        'nonce',
        'exp',
        'iat',
        'nbf',
        'email',
        'name',
        'groups',
        '__proto__',
      ),
      async (claims) => {
        const user = await userBy((usual) => signed({ ...usual, ...claims }));
        if (user === null) return;
        const { id, email, name, groups } = user;
        assert.equal(id, 'ada', JSON.stringify(claims));
        for (const text of [email, name, ...groups]) assert.equal(typeof text, 'string');
        for (const [claim, value] of [
          ['iss', provider.issuer],
          ['nonce', flow.nonce],
        ] as const)
          assert.ok(!Object.hasOwn(claims, claim) || claims[claim] === value, JSON.stringify(claims));
      },
    ),
    runs,
  );

  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (signature) => {
      const user = await userBy((claims) =>
        signed(claims).replace(/[^.]*$/, base64url(Buffer.from(signature))),
      );
      assert.equal(user, null);
    }),
    runs,
  );

  const piece = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 40 }),
    anything.map((value) => base64url(JSON.stringify(value))),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => base64url(Buffer.from(bytes))),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
      assert.equal(await userBy(() => pieces.join('.')), null);
    }),
    runs,
  );
});
