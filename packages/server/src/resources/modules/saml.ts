/** The SAML module: only users whom an identity provider vouches for are served (specification, section 2.6; open points, B 1.9.1 and 4.9). */
import { samlUrls, signingKeyContext } from '../../core/saml-settings.ts';
import { idpName } from '../../core/service-names.ts';
import { Type } from '../../core/type.ts';
import type { SamlModule } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import { maxIdpMetadata } from '../../pki/idp-metadata.ts';
import { makeSigningKey } from '../../pki/signing-key.ts';
import { fetchIdpMetadata } from '../../saml/metadata-fetch.ts';
import { usableMetadata } from '../../saml/usable-metadata.ts';
import type { ModuleContext, StoredModule } from '../definition.ts';
import { idpMetadata as idpExample } from '../examples.ts';
import { body, choice, exactlyOne, type Input, multiline, optional, text } from '../schema.ts';
import { loginRead, loginWrite, parseLogin } from './login-fields.ts';

const maxGroups = 100;
const maxGroupAttributes = 20;
const maxGroupBytes = 255;
const maxMetadataUrl = 2048;
const metadataUrlPattern = '^(?:https://[^\\s#]+)?$';

const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
const nameIdFormats = [
  persistent,
  'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
] as const;

const what = 'Serves only users whom an identity provider vouches for.';

const write = body(
  {
    ...loginWrite,
    idp_metadata: optional(
      multiline(
        text(
          maxIdpMetadata,
          'samlMetadataTooLong',
          'The XML document EntityDescriptor of the identity provider; this or idp_metadata_url. Shown as "" where that is given.',
          { examples: [idpExample] },
        ),
      ),
    ),
    idp_metadata_url: optional(
      text(
        maxMetadataUrl,
        'samlMetadataUrlTooLong',
        'The https URL of that document. It is fetched now and about once an hour; the last valid document stays until there is a newer one.',
        { pattern: metadataUrlPattern, examples: ['https://idp.example.com/metadata'] },
      ),
    ),
    force_authn: optional(
      Type.Boolean({
        default: false,
        description: 'True if users must log in again even if the provider knows them.',
      }),
    ),
    allow_idp_initiated: optional(
      Type.Boolean({ default: true, description: 'True if a login may begin at the identity provider.' }),
    ),
    authorized_groups: optional(
      Type.Array(Type.String({ minLength: 1, description: `A group, of at most ${maxGroupBytes} bytes.` }), {
        maxItems: maxGroups,
        default: [],
        'x-error': 'authorizedGroupCount',
        description:
          'Groups whose members are served, by the attributes of group_attributes. Empty for every user who can log in.',
      }),
    ),
    group_attributes: optional(
      Type.Array(
        Type.String({
          minLength: 1,
          description: `The Name or FriendlyName of an attribute, of at most ${maxGroupBytes} bytes.`,
        }),
        {
          maxItems: maxGroupAttributes,
          default: [],
          'x-error': 'groupAttributeCount',
          description:
            'The attributes of the assertion that name the groups of a user. Empty for the usual ones. These are groups, memberOf, member, role, roles and group in any case, the group and role claims of Microsoft and ADFS, and the object identifiers of isMemberOf and eduPersonEntitlement.',
          examples: [['memberOf']],
        },
      ),
    ),
    nameid_format: optional(
      choice(
        ['', ...nameIdFormats],
        'nameIdFormatInvalid',
        'Format of the users\' names, "unspecified" for any; empty for the default.',
        {
          default: persistent,
        },
      ),
    ),
  },
  {
    description: what,
    examples: [{ idp_metadata: idpExample, authorized_groups: ['staff'] }],
    minProperties: 1,
    ...exactlyOne(['idp_metadata', 'idp_metadata_url']),
  },
);

type Fields = Input<typeof write>;

export const samlModule = {
  name: 'saml',
  schemaName: 'EndpointSAML',
  summary: 'SAML',
  write,
  read: Type.Object(
    {
      ...loginRead,
      idp_metadata: Type.String(),
      idp_metadata_url: Type.String(),
      force_authn: Type.Boolean(),
      allow_idp_initiated: Type.Boolean(),
      authorized_groups: Type.Array(Type.String()),
      group_attributes: Type.Array(Type.String()),
      entity_id: Type.String({ description: 'The entity id of this service: the same as metadata_url.' }),
      assertion_consumer_service_url: Type.String({
        description: 'URL to which the identity provider sends users.',
      }),
      single_logout_url: Type.String({
        description: 'URL to which the identity provider reports that a user has logged out.',
      }),
      request_signing_certificate_pem: Type.String({
        description:
          'Certificate for the signatures of requests to the identity provider. It stays as long as the module is set, also if the module is replaced.',
      }),
      metadata_url: Type.String({ description: "URL of this service's metadata for the identity provider." }),
      nameid_format: Type.String(),
    },
    { description: what },
  ),

  async parse(input, pointer, context) {
    return {
      ...parseLogin(input, pointer, context.current),
      ...(await idpMetadata(input, pointer, context)),
      force_authn: input.force_authn ?? false,
      allow_idp_initiated: input.allow_idp_initiated ?? true,
      authorized_groups: names(
        input.authorized_groups ?? [],
        'authorizedGroupLength',
        `${pointer}/authorized_groups`,
      ),
      group_attributes: names(
        input.group_attributes ?? [],
        'groupAttributeLength',
        `${pointer}/group_attributes`,
      ),
      nameid_format: input.nameid_format || persistent,
      ...(await requestSigning(context)),
    };
  },

  show(module, { settings }, id) {
    const { request_signing_key_sealed: _, generation: __, ...config } = module;
    const { idp_metadata, idp_metadata_url = '' } = config;
    const { entity, consumer, logout } = samlUrls(settings, id);
    return {
      ...config,
      idp_metadata: idp_metadata_url === '' ? idp_metadata : '',
      idp_metadata_url,
      group_attributes: config.group_attributes ?? [],
      entity_id: entity,
      assertion_consumer_service_url: consumer,
      single_logout_url: logout,
      metadata_url: entity,
    };
  },
} as const satisfies StoredModule<SamlModule, Fields>;

/** Keeps the key of the replaced module, so that the identity provider's trust in it stays; else creates one. */
async function requestSigning({
  current,
  settings,
  sealer,
  now,
}: ModuleContext<SamlModule>): Promise<
  Pick<SamlModule, 'request_signing_certificate_pem' | 'request_signing_key_sealed'>
> {
  if (current !== null) {
    const { request_signing_certificate_pem, request_signing_key_sealed } = current;
    return { request_signing_certificate_pem, request_signing_key_sealed };
  }
  const { certificatePem, privateKeyPem } = await makeSigningKey(idpName(settings), now());
  return {
    request_signing_certificate_pem: certificatePem,
    request_signing_key_sealed: sealer.seal(privateKeyPem, signingKeyContext(certificatePem)),
  };
}

type MetadataContext = Pick<ModuleContext<SamlModule>, 'current' | 'principal' | 'settings' | 'now'>;

async function idpMetadata(
  input: Fields,
  pointer: string,
  context: MetadataContext,
): Promise<Pick<SamlModule, 'idp_metadata' | 'idp_metadata_url'>> {
  const { idp_metadata = '', idp_metadata_url = '' } = input;
  const field = `${pointer}/idp_metadata`;
  if (idp_metadata_url !== '') {
    if (idp_metadata !== '') throw new Problem('samlMetadataTwice', {}, { field: `${field}_url` });
    return { idp_metadata: await metadataAt(idp_metadata_url, `${field}_url`, context), idp_metadata_url };
  }
  if (idp_metadata === '') throw new Problem('samlMetadataMissing', {}, { field });
  try {
    usableMetadata(idp_metadata, context.now());
  } catch (error) {
    throw atField(error, field);
  }
  return { idp_metadata, idp_metadata_url };
}

/** Returns the metadata of the URL. If it cannot be fetched, returns the stored metadata of the same URL. Raises Problem. */
async function metadataAt(
  url: string,
  field: string,
  { current, principal, settings, now }: MetadataContext,
): Promise<string> {
  if (!isMetadataUrl(url)) throw new Problem('samlMetadataUrlInvalid', { value: url }, { field });
  try {
    const { allowPrivate } = settings;
    return (await fetchIdpMetadata(url, { account: principal.account, allowPrivate, now })).xml;
  } catch (error) {
    if (error instanceof Problem && current?.idp_metadata_url === url) return current.idp_metadata;
    throw atField(error, field);
  }
}

/** The same condition, with where it is. */
function atField(error: unknown, field: string): unknown {
  if (!(error instanceof Problem)) return error;
  return Problem.named(error.code, error.values, { ...error.details, field });
}

function isMetadataUrl(text: string): boolean {
  if (!new RegExp(metadataUrlPattern).test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return protocol === 'https:' && username === '' && password === '';
}

/** Each name once. Raises Problem for one that is empty or too long. */
function names(
  given: readonly string[],
  code: 'authorizedGroupLength' | 'groupAttributeLength',
  pointer: string,
): readonly string[] {
  for (const [index, group] of given.entries()) {
    const actual = Buffer.byteLength(group);
    if (actual >= 1 && actual <= maxGroupBytes) continue;
    const limit = maxGroupBytes;
    throw new Problem(code, { actual, limit }, { field: `${pointer}/${index}`, limit });
  }
  return [...new Set(given)];
}
