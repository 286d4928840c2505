/** Reserved domains (specification, sections 2.13 and 4.7). Managed certificates come with a later version. */
import { createHash } from 'node:crypto';
import Type from 'typebox';
import { defaultRegion, regions } from '../../core/region.ts';
import type { Settings } from '../../core/settings.ts';
import { Problem } from '../../errors/problem.ts';
import type { StoredKind } from '../definition.ts';
import type { ReservedDomainDocument } from '../documents.ts';
import { frontDoor } from '../domain-hostports.ts';
import { isShared, wantedDomain } from '../domain-names.ts';
import { overlap } from '../domain-owners.ts';
import {
  attach,
  configurationId,
  configurationReferences,
  isConfigured,
  onDomains,
} from '../endpoint-configurations.ts';
import { hostportClaim } from '../hostports.ts';
import {
  body,
  choice,
  common,
  describedWrite,
  type Input,
  idOrNone,
  notBlank,
  notEmpty,
  nullable,
  optional,
  Ref,
} from '../schema.ts';

const certificatePrefixes = ['cert'];
const certificateFields = {
  certificate_id: optional(
    idOrNone(
      certificatePrefixes,
      'An uploaded TLS certificate, for the names that it covers; not for names below the shared domain. "" removes it.',
    ),
  ),
  certificate_management_policy: optional(
    notEmpty(
      Type.Object(
        {
          authority: optional(choice(['public_ca'], 'domainAuthorityInvalid')),
          private_key_type: optional(choice(['rsa', 'ecdsa'], 'certificateKeyTypeInvalid', 'Default rsa.')),
        },
        { additionalProperties: false, description: 'A certificate that the service gets and renews.' },
      ),
    ),
  ),
};

const described = describedWrite('domainDescriptionTooLong', 'domainMetadataTooLong');

const create = body({
  name: optional(
    notBlank(
      Type.String({
        description:
          'A whole name such as "app.example.com" or "*.example.com", or one label below the shared domain.',
      }),
    ),
  ),
  domain: optional(notBlank(Type.String({ description: 'A whole name; instead of "name".' }))),
  region: optional(choice(regions, 'domainRegionInvalid', 'Default us.')),
  ...described,
  ...certificateFields,
});

const update = body({
  ...described,
  region: optional(choice(regions, 'domainRegionInvalid', 'Cannot change.')),
  ...certificateFields,
  http_endpoint_configuration_id: configurationId('Of type http. "" detaches it.'),
  https_endpoint_configuration_id: configurationId('Of type https. "" detaches it.'),
});

type Create = Input<typeof create>;
type Update = Input<typeof update>;

const policy = Type.Object({ authority: Type.String(), private_key_type: Type.String() });
const job = Type.Object({
  error_code: nullable(Type.String()),
  msg: Type.String(),
  started_at: Type.String(),
  retries_at: nullable(Type.String()),
});
const status = Type.Object({ renews_at: nullable(Type.String()), provisioning_job: nullable(job) });

export const reservedDomain: StoredKind<ReservedDomainDocument, Create, Update> = {
  source: 'stored',
  name: 'reserved_domain',
  prefix: 'rd',
  path: '/reserved_domains',
  listKey: 'reserved_domains',
  schemaName: 'ReservedDomain',
  summary: 'Reserved domains',
  description:
    'A name that belongs to the account: below the shared domain, or one of its own whose DNS points here. Edges and agents serve it.',
  group: 'Names and addresses',
  one: 'a reserved domain',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create,
  update,
  read: Type.Object({
    ...common,
    domain: Type.String(),
    region: Type.String(),
    cname_target: nullable(
      Type.String({ description: 'Where the DNS of the domain should point; null below the shared domain.' }),
    ),
    http_endpoint_configuration: nullable(Ref),
    https_endpoint_configuration: nullable(Ref),
    certificate: nullable(Ref),
    certificate_management_policy: nullable(policy),
    certificate_management_status: nullable(status),
    acme_challenge_cname_target: nullable(Type.String()),
  }),
  modules: [],
  detachments: [
    { name: 'certificate', field: 'certificate_id', summary: 'Certificate of a reserved domain' },
    {
      name: 'certificate_management_policy',
      field: 'certificate_management_policy',
      summary: 'Managed certificate of a reserved domain',
    },
    {
      name: 'http_endpoint_configuration',
      field: 'http_endpoint_configuration_id',
      summary: 'HTTP endpoint configuration of a reserved domain',
    },
    {
      name: 'https_endpoint_configuration',
      field: 'https_endpoint_configuration_id',
      summary: 'HTTPS endpoint configuration of a reserved domain',
    },
  ],
  references: [
    {
      field: 'certificate_id',
      prefixes: certificatePrefixes,
      wrongPrefix: 'referenceOfWrongKind',
      unknown: 'certificateUnknown',
      binding: true,
    },
    ...configurationReferences(onDomains),
  ],
  inUse: 'domainInUse',

  async parse(input, { principal, store, online, settings }) {
    const domain = wantedDomain(input.name, input.domain, settings);
    refuseCertificates(input, domain, settings);
    const problem = await overlap(store, domain, principal.account, settings.domain);
    if (problem !== null) throw problem;
    const region = input.region ?? defaultRegion;
    const shared = isShared(domain, settings.domain);
    const { description = '', metadata = '' } = input;
    const certificate_id = input.certificate_id || null;
    const fields = { description, metadata, domain, region, certificate_id };
    return {
      body: { ...fields, cname_target: '' },
      complete: (id) => ({
        body: { ...fields, cname_target: shared ? '' : `${opaque(id)}.cname.${region}.${settings.domain}` },
      }),
      suspend() {
        const field = input.domain === undefined ? '/name' : '/domain';
        refuseOccupied(domain, online.occupied(domain, principal.account), field);
        return online.suspend(domain, principal.account);
      },
    };
  },

  async merge(document, patch, context) {
    const { body: current } = document;
    const { description, metadata, region, certificate_id } = patch;
    if (region !== undefined && region !== current.region) {
      throw new Problem(
        'domainRegionFixed',
        { current: current.region, value: region },
        { field: '/region' },
      );
    }
    refuseCertificates(patch, current.domain, context.settings);
    return {
      body: {
        ...current,
        description: description ?? current.description,
        metadata: metadata ?? current.metadata,
        ...(certificate_id === undefined ? {} : { certificate_id: certificate_id || null }),
        ...(await attach(onDomains, document, patch, context)),
      },
    };
  },

  /** What has a configuration has the hostport as an edge would, so that at no moment both decide who is served. */
  claims(body) {
    const { domain } = body;
    const name = { kind: 'domain', value: domain };
    const place = { hostname: domain, port: frontDoor };
    return isConfigured(onDomains, body) ? [name, hostportClaim(place)] : [name];
  },

  taken({ kind, value }, own) {
    if (kind === 'hostport') return new Problem('domainOnEdge', { id: value, by: 'an edge' });
    return new Problem(own ? 'domainTakenHere' : 'domainTakenElsewhere', { value });
  },

  settle({ id, body: { domain } }, { principal, store, settings }) {
    return overlap(store, domain, principal.account, settings.domain, id);
  },

  show({ body }, { ref }) {
    const { domain, region, cname_target, certificate_id } = body;
    const { http_endpoint_configuration_id: http, https_endpoint_configuration_id: https } = body;
    return {
      domain,
      region,
      cname_target: cname_target === '' ? null : cname_target,
      http_endpoint_configuration: http ? ref(http) : null,
      https_endpoint_configuration: https ? ref(https) : null,
      certificate: certificate_id ? ref(certificate_id) : null,
      certificate_management_policy: null,
      certificate_management_status: null,
      acme_challenge_cname_target: null,
    };
  },
};

/** A name that another account's agent has, or may come back to, is not taken from it. */
function refuseOccupied(value: string, occupied: 'online' | 'held' | null, field: string): void {
  if (occupied === 'online') throw new Problem('domainOnlineElsewhere', { value }, { field });
  if (occupied === 'held') throw new Problem('domainHeldElsewhere', { value }, { field });
}

/** A label that says nothing about the reservation and stays with it. */
function opaque(id: string): string {
  return createHash('sha256').update(`cname ${id}`).digest('hex').slice(0, 20);
}

/** Whether the account has the certificate is checked with the other references. */
function refuseCertificates(
  {
    certificate_id: id,
    certificate_management_policy: managed,
  }: Pick<Update, keyof typeof certificateFields>,
  domain: ReservedDomainDocument['domain'],
  settings: Settings,
): void {
  const shared = isShared(domain, settings.domain);
  const idField = { field: '/certificate_id' };
  const policyField = { field: '/certificate_management_policy' };
  if (id && managed !== undefined) throw new Problem('domainCertificateAndPolicy', {}, idField);
  if (managed !== undefined) {
    const name = shared ? 'domainSharedManaged' : 'managedCertificateUnavailable';
    throw new Problem(name, { value: domain }, policyField);
  }
  if (shared && id?.startsWith('cert_'))
    throw new Problem('domainSharedCertificate', { value: domain }, idField);
}
