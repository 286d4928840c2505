/** Reserved domains (specification, sections 2.13 and 4.7). */
import { defaultRegion, regions } from '../../core/names/region.ts';
import type { Settings } from '../../core/settings.ts';
import { Type } from '../../core/type.ts';
import { challengeTarget, cnameTarget } from '../../dns/targets.ts';
import type { ManagedCertificate, ReservedDomainDocument } from '../../documents/index.ts';
import { frontDoor, hostportClaim } from '../../documents/name-claims.ts';
import { Problem } from '../../errors/problem.ts';
import type { StoredKind } from '../definition.ts';
import { domainCheck } from '../domain-check.ts';
import { isShared, wantedDomain } from '../domain-names.ts';
import { domainClaims, overlap } from '../domain-owners.ts';
import { domainProof } from '../domain-proof.ts';
import { domainRenewal } from '../domain-renewal.ts';
import {
  attach,
  configurationId,
  configurationReferences,
  isConfigured,
  onDomains,
} from '../endpoint-configurations.ts';
import {
  isStanding,
  policyField,
  shownPolicy,
  shownStatus,
  showPolicy,
  showStatus,
  withPolicy,
} from '../managed-certificates.ts';
import { patterns } from '../patterns.ts';
import {
  atMostOne,
  body,
  choice,
  common,
  describedWrite,
  exactlyOne,
  type Input,
  idOrNone,
  immutable,
  nullable,
  optional,
  refTo,
} from '../schema.ts';

const certificatePrefixes = ['cert'];
const certificateFields = {
  certificate_id: optional(
    idOrNone(
      certificatePrefixes,
      'The certificate that it is served with: one that was uploaded, for the names that it covers; not for names below the shared domain. "" removes it.',
    ),
  ),
  certificate_management_policy: optional(policyField),
};

/** Also "global", which is what an empty list means. */
const places = [...regions, 'global'] as const;
const resolvesTo = Type.Array(
  Type.Object(
    { value: choice(places, 'domainResolvesToInvalid', 'A region, or "global".') },
    { $id: 'ReservedDomainResolvesTo', additionalProperties: false },
  ),
  {
    maxItems: 64,
    description:
      'Regions to whose addresses the name should resolve; empty for all. It has no effect with one region.',
  },
);

const described = describedWrite('domainDescriptionTooLong', 'domainMetadataTooLong');

const regionText = 'The region that serves it.';
const create = body(
  {
    name: optional(
      Type.String({
        pattern: patterns.domainOrLabel,
        description:
          'A whole name such as "app.example.com" or "*.example.com", or one label below the shared domain.',
      }),
    ),
    domain: optional(
      Type.String({
        pattern: patterns.domain,
        description: 'A whole name; instead of "name".',
      }),
    ),
    region: optional(choice(regions, 'domainRegionInvalid', regionText, { default: defaultRegion })),
    resolves_to: optional(resolvesTo),
    ...described,
    ...certificateFields,
  },
  {
    examples: [{ name: 'my-shop', description: 'The web shop' }],
    ...exactlyOne(['name', 'domain']),
    ...atMostOne(['certificate_id', 'certificate_management_policy']),
  },
);

const update = body(
  {
    ...described,
    region: optional(immutable(choice(regions, 'domainRegionInvalid', regionText))),
    resolves_to: optional(resolvesTo),
    ...certificateFields,
    http_endpoint_configuration_id: configurationId(
      'The endpoint configuration, of type http, for HTTP. "" detaches it.',
    ),
    https_endpoint_configuration_id: configurationId(
      'The endpoint configuration, of type https, for HTTPS. "" detaches it.',
    ),
  },
  {
    examples: [{ description: 'The old web shop' }],
  },
);

type Create = Input<typeof create>;
type Update = Input<typeof update>;

export const reservedDomain: StoredKind<ReservedDomainDocument, Create, Update> = {
  source: 'stored',
  name: 'reserved_domain',
  eventStem: 'domain',
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
    domain: Type.String({ description: 'The name.' }),
    region: Type.String(),
    cname_target: nullable(
      Type.String({ description: "The target for the domain's CNAME record; null below the shared domain." }),
    ),
    http_endpoint_configuration: nullable(refTo('The endpoint configuration for HTTP.')),
    https_endpoint_configuration: nullable(refTo('The endpoint configuration for HTTPS.')),
    certificate: nullable(refTo('The certificate that it is served with.')),
    certificate_management_policy: nullable(shownPolicy),
    certificate_management_status: nullable(shownStatus),
    acme_challenge_cname_target: nullable(
      Type.String({
        description:
          'The target for the CNAME record "_acme-challenge." of a wildcard name, for certificates of it.',
      }),
    ),
    resolves_to: resolvesTo,
  }),
  modules: [],
  views: [domainProof],
  actions: [domainCheck, domainRenewal],
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

  async parse(input, { principal, store, settings, now }) {
    const { certificate_id: uploaded, certificate_management_policy: managed } = input;
    const domain = wantedDomain(input.name, input.domain, settings);
    refuseCertificates({ certificate_id: uploaded, managed }, null, domain, settings);
    const problem = await overlap(store, domain, principal.account, settings.domain);
    if (problem !== null) throw problem;
    const region = input.region ?? defaultRegion;
    const { description = '', metadata = '', resolves_to = [] } = input;
    const certificate_id = uploaded || null;
    const certificate_management_policy = managed === undefined ? null : withPolicy(managed, null, now());
    const certificates = { certificate_id, certificate_management_policy };
    const fields = { description, metadata, domain, region, resolves_to, ...certificates };
    return {
      body: { ...fields, cname_target: '' },
      complete: (id) => ({
        body: { ...fields, cname_target: cnameTarget(id, fields, settings) ?? '' },
      }),
    };
  },

  async merge(document, patch, context) {
    const { body: current } = document;
    const { description, metadata, region, resolves_to, certificate_management_policy: managed } = patch;
    // The current certificate counts as no change, whatever else the request has.
    const certificate_id = patch.certificate_id === current.certificate_id ? undefined : patch.certificate_id;
    const standing = current.certificate_management_policy ?? null;
    if (region !== undefined && region !== current.region) {
      throw new Problem(
        'domainRegionFixed',
        { current: current.region, value: region },
        { field: '/region' },
      );
    }
    refuseCertificates({ certificate_id, managed }, standing, current.domain, context.settings);
    return {
      body: {
        ...current,
        description: description ?? current.description,
        metadata: metadata ?? current.metadata,
        resolves_to: resolves_to ?? current.resolves_to ?? [],
        ...(certificate_id === undefined ? {} : { certificate_id: certificate_id || null }),
        ...(managed === undefined
          ? {}
          : {
              certificate_management_policy: withPolicy(managed, standing, context.now()),
            }),
        ...(await attach(onDomains, document, patch, context)),
      },
    };
  },

  async guard({ before, after }) {
    const isManaged = (before?.body.certificate_management_policy ?? null) !== null;
    const isKept = (after?.certificate_management_policy ?? null) !== null;
    const former = before?.body.certificate_id ?? null;
    if (isManaged && isKept && (after?.certificate_id ?? null) !== former)
      throw new Problem('domainCertificateManaged', {}, { field: '/certificate_id' });
    return [];
  },

  /** The certificate that the service got for it, unless something else is served with it. */
  async deletedWith({ id, body }, { store }) {
    if (!body.certificate_id || (body.certificate_management_policy ?? null) === null) return [];
    const certificate = await store.get(body.certificate_id);
    if (certificate?.kind !== 'tls_certificate' || certificate.body.issued_at === undefined) return [];
    const users = await store.linksTo(certificate.id, 2);
    return users.every(({ from }) => from === id) ? [certificate] : [];
  },

  places: ({ domain }, input) => [
    {
      name: domain,
      includesOwn: false,
      occupied: (how) =>
        new Problem(
          how === 'online' ? 'domainOnlineElsewhere' : 'domainHeldElsewhere',
          { value: domain },
          { field: input.domain === undefined ? '/name' : '/domain' },
        ),
    },
  ],

  /** A configured domain claims the hostport as an edge does, so that at most one of them decides about visitors. */
  claims(body) {
    const { domain } = body;
    const names = domainClaims(domain);
    const place = { hostname: domain, port: frontDoor };
    return isConfigured(onDomains, body) ? [...names, hostportClaim(place)] : names;
  },

  taken({ kind, value }, own) {
    if (kind === 'hostport') return new Problem('domainOnEdge', { id: value, by: 'an edge' });
    return new Problem(own ? 'domainTakenHere' : 'domainTakenElsewhere', { value });
  },

  verifyAfterInsert({ id, body: { domain } }, { principal, store, settings }) {
    return overlap(store, domain, principal.account, settings.domain, id);
  },

  show({ id, body }, { ref, settings }) {
    const { domain, region, cname_target, certificate_id, resolves_to = [] } = body;
    const managed = body.certificate_management_policy ?? null;
    const { http_endpoint_configuration_id: http, https_endpoint_configuration_id: https } = body;
    return {
      domain,
      region,
      cname_target: cname_target === '' ? null : cname_target,
      http_endpoint_configuration: http ? ref(http) : null,
      https_endpoint_configuration: https ? ref(https) : null,
      certificate: certificate_id ? ref(certificate_id) : null,
      certificate_management_policy: managed && showPolicy(managed),
      certificate_management_status: managed && showStatus(managed, settings),
      acme_challenge_cname_target: challengeTarget(id, domain, settings),
      resolves_to,
    };
  },
};

/** The certificate of a request, where it is another than the domain has. */
interface Wanted {
  readonly certificate_id: string | undefined;
  readonly managed: Input<typeof policyField> | undefined;
}

/** Raises Problem for a certificate that the domain cannot have. The check of references covers its account. */
function refuseCertificates(
  { certificate_id: id, managed }: Wanted,
  standing: ManagedCertificate | null,
  domain: ReservedDomainDocument['domain'],
  settings: Settings,
): void {
  const shared = isShared(domain, settings.domain);
  const idField = { field: '/certificate_id' };
  if (id && managed !== undefined) throw new Problem('domainCertificateAndPolicy', {}, idField);
  if (managed !== undefined && !isStanding(managed, standing)) refuseManaged(domain, shared, settings);
  if (shared && id?.startsWith('cert_'))
    throw new Problem('domainSharedCertificate', { value: domain }, idField);
}

/** Raises Problem for a domain that cannot have a managed certificate here. */
function refuseManaged(
  domain: ReservedDomainDocument['domain'],
  shared: boolean,
  { managedCertificates }: Settings,
): void {
  const field = { field: '/certificate_management_policy' };
  if (shared) throw new Problem('domainSharedManaged', { value: domain }, field);
  if (managedCertificates === null)
    throw new Problem('managedCertificateUnavailable', { value: domain }, field);
  if (domain.startsWith('*.') && !managedCertificates.wildcards)
    throw new Problem('managedWildcardUnavailable', { value: domain }, field);
}
