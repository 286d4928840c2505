import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IpRestrictions } from '../access/ip-restrictions.ts';
import type { ProvisionerOptions } from '../acme/provisioner.ts';
import type { ZoneTexts } from '../dns/zone-texts.ts';
import type { EdgeOptions } from '../edge/edge.ts';
import type { Subscriptions } from '../events/subscriptions.ts';
import type { DomainCertificatesOptions } from '../pki/domain-certificates.ts';
import type { SamlModulesOptions } from '../saml/modules.ts';
import type { IngressOptions } from '../tunnels/ingress-options.ts';

/** `true` if the store that a part takes has no writes, as far as the part can see. */
type Reads<Store> = 'write' extends keyof Store ? false : true;
type First<Start extends (...args: never) => unknown> = Parameters<Start>[0];

test('parts that only read take a store without writes', () => {
  // The compiler checks it: each line fails if the part takes a store that writes.
  const parts: {
    readonly edge: Reads<EdgeOptions['store']>;
    readonly certificates: Reads<DomainCertificatesOptions['store']>;
    readonly ingress: Reads<IngressOptions['store']>;
    readonly provisioner: Reads<ProvisionerOptions<'reserved_domain', never>['store']>;
    readonly saml: Reads<SamlModulesOptions['store']>;
    readonly restrictions: Reads<First<typeof IpRestrictions.start>['store']>;
    readonly subscriptions: Reads<First<typeof Subscriptions.start>>;
    readonly texts: Reads<First<typeof ZoneTexts.start>>;
  } = {
    ...{ edge: true, certificates: true, ingress: true, provisioner: true },
    ...{ saml: true, restrictions: true, subscriptions: true, texts: true },
  };
  assert.ok(Object.values(parts).every(Boolean));
});
