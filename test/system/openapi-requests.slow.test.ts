/** Requests that the OpenAPI document admits are accepted, and its examples work unchanged. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import {
  type CatalogueEntry,
  catalogue,
  type ErrorName,
} from '../../packages/server/src/errors/catalogue.ts';
import { Platform } from '../harness/index.ts';
import { Account, type ApiDocument, documentOf } from './account.fixture.ts';
import { Inventory } from './inventory.fixture.ts';
import { ValidRequests } from './valid-requests.fixture.ts';

/** Conditions that no schema of a request can express, so valid requests may get them. */
const BEYOND_SCHEMAS: Readonly<Partial<Record<ErrorName, string>>> = {
  // Conditions about other resources, which exist or do not
  hostportNotReserved: 'it is not reserved',
  hostportIsDomain: 'it is not reserved as an address',
  addressNotReserved: 'it is not reserved',
  hostportPortNotServed: 'which ports are served is the daemon',
  domainTakenHere: 'it is taken',
  domainBaseNotReservable: 'what the service calls itself is the daemon',
  domainBelowRestricted: 'what the service calls itself is the daemon',
  domainRegionFixed: 'it has another one',
  addressRegionFixed: 'it has another one',
  domainCertificateAndPolicy: 'whether it has that certificate already',
  domainConfigurationType: 'of which type the configuration is',
  addressConfigurationType: 'of which type the configuration is',
  domainSharedCertificate: 'below which domain the name is',
  restrictionTypeTaken: 'there is one',
  ipPolicyShutsCallerOut: 'from where the request comes',
  ipRuleShutsCallerOut: 'from where the request comes',
  cidrRepeated: 'there is one',
  routeMatchTaken: 'there is one',
  loginOnOtherRoute: 'there is one',
  sshKeyTakenHere: 'there is one',
  userEmailTaken: 'there is one',
  botNameTaken: 'there is one',
  recordingSiteUnknown: 'there is none',
  recordingRuns: 'there is one',
  recordingsTooMany: 'there are others',
  lastAdmin: 'there is no other',
  eventTargetTypeFixed: 'it has another one',
  eventSecretNeeded: 'what it has belongs to something else',
  monitoringKeyMissing: 'it has none',
  cloudSecretMissing: 'it has none',
  azureSecretMissing: 'it has none',
  webhookSecretMissing: 'it has none',
  oidcClientSecretMissing: 'it has none',
  oauthSecretMissing: 'it has none',
  samlMetadataUrlUnreachable: 'what is there',
  oauthClientMissing: 'which applications the operator has',
  oauthScopesOfOthers: 'which applications the operator has',
  eventSourceRepeated: 'it is there',
  eventSourceMissing: 'it was replaced',
  // Forms of URLs, addresses, headers and certificates
  explainUrlInvalid: 'the parser of the edge decides',
  explainSchemeUnknown: 'the parser of the edge decides',
  explainNeedsHttps: 'the name carries HTTP',
  explainAddressInvalid: 'which texts are addresses',
  explainHeadInvalid: 'the parser of the edge decides',
  explainCertificateInvalid: 'which texts are certificates',
  explainTooLong: 'bytes of all texts together',
  testedAddressMalformed: 'which texts are addresses',
  bindTestEmpty: 'which texts name something',
  bindTestCredential: 'another field',
  // Rules between modules
  tlsNotTerminated: 'another module',
  mutualTlsNotTerminated: 'another module',
  configurationNotTerminated: 'another module',
  moduleNotForType: 'the type of the resource',
  loginModuleTwice: 'another module',
  webhookSecretNotBase64: 'how the provider writes its secrets',
  // Conditions that need a calculation
  cloudRegionPartition: 'which regions are in which partition',
  cidrHostBits: 'arithmetic',
  staticAddressSpecial: 'which addresses are special, and what the operator allows',
  sshHostValidityEmpty: 'which of two times is later',
  sshUserValidityEmpty: 'which of two times is later',
  timestampInvalid: 'how long a month is',
  headerRepeated: 'names in any case',
  responseHeaderRepeated: 'names in any case',
  headerKeptByEdge: 'names in any case',
  responseHeaderForbidden: 'names in any case',
  headerUserAgent: 'names in any case',
  headerHostRemoved: 'names in any case',
  addressRepeated: 'names in any case',
  hostportRepeated: 'names in any case',
  routeMatchEncoded: 'a percent sign before two digits',
  routeMatchDotSegment: 'what a whole segment is',
  sshOptionInvalid: 'which options have a value',
  domainNamePunycode: 'which letters stand in names',
  domainNameHyphens: 'which letters stand in names',
  domainNameCharacter: 'which letters stand in names',
  hostportMalformed: 'which letters stand in names',
  bindRuleMalformed: 'which letters stand in names',
  staticAddressHost: 'which letters stand in names',
  monitoringSiteInvalid: 'which letters stand in names',
  managedCertificateUnavailable: 'whether there is a certificate authority',
  domainSharedManaged: 'whether there is a certificate authority',
};
/** Some conditions have another number in endpoint configurations. */
const numbers = new Map(
  Object.entries<CatalogueEntry>(catalogue).flatMap(([name, { number, inConfigurations = number }]) => [
    [number, name],
    [inConfigurations, name],
  ]),
);

let platform: Platform;
let document: ApiDocument;
let account: Account;

before(async () => {
  platform = await Platform.shared();
  document = await documentOf(platform);
  account = new Account(document.operations, platform.bootstrap.api_key, platform);
});
after(() => platform.stop());

test('no request that the document admits is refused for what a schema could have said', async () => {
  const things = await Inventory.make(account, document.operations);
  const ids = new Map(
    Object.entries(document.kinds).flatMap(([name, { collection }]) => {
      const id = things.ids.get(collection);
      return id === undefined ? [] : [[name, id] as const];
    }),
  );
  // The caller keeps its user.
  ids.set('user', platform.bootstrap.user_id);
  const requests = new ValidRequests(document.json, ids);
  for (const { id, method, path, body } of document.operations) {
    if (body === null) continue;
    const target = things.fill(path);
    await fc.assert(
      fc.asyncProperty(requests.bodies(body.$ref), async (given) => {
        const answer = await account.call(method, target, given);
        if (answer.status === 201 && answer.json.id !== undefined)
          await account.call('DELETE', `${target}/${answer.json.id}`);
        if (answer.status < 300) return;
        const error = numbers.get(Number(/\d+$/.exec(answer.json.error_code)?.[0])) as ErrorName;
        // Agents get the same conditions for their binds, whose forms no schema describes.
        if (id === 'bind_rules_test' && error.startsWith('bind')) return;
        assert.ok(BEYOND_SCHEMAS[error], `${id} ${JSON.stringify(given)}: ${error}, ${answer.json.msg}`);
      }),
      { numRuns: 40, endOnFailure: true },
    );
  }
});
