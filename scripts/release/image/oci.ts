/** Writes an image as an OCI archive (image layout 1.0.0), which `docker load`, podman and skopeo read. */
import { hash } from 'node:crypto';
import type { Settings } from '../../image/dockerfile.ts';
import { fileEntry } from '../archives/entry.ts';
import { gzipped, tar } from '../archives/tar.ts';
import type { ReleaseFacts } from '../release-facts.ts';

/** Files in which the C library looks the user up. */
export const ACCOUNTS = {
  'etc/passwd':
    'root:x:0:0:root:/:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/var/lib/underpass:/sbin/nologin\n',
  'etc/group': 'root:x:0:\nnonroot:x:65532:\n',
  'etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
} as const;

const TYPES = 'application/vnd.oci.image';

export interface ImageParts {
  readonly name: string;
  /** The files, as an uncompressed tar archive. */
  readonly layer: Buffer;
  readonly settings: Settings;
  /** The name that Go has for the processor. */
  readonly architecture: 'amd64' | 'arm64';
}

interface Blob {
  readonly content: Buffer;
  readonly descriptor: { readonly mediaType: string; readonly digest: string; readonly size: number };
}

export async function ociArchive(
  { name, layer, ...parts }: ImageParts,
  facts: ReleaseFacts,
): Promise<Buffer> {
  const packed = blob(await gzipped(layer), 'layer.v1.tar+gzip');
  const config = jsonBlob(configOf(layer, parts, facts), 'config.v1+json');
  const manifest = jsonBlob(
    {
      ...{ schemaVersion: 2, mediaType: `${TYPES}.manifest.v1+json` },
      ...{ config: config.descriptor, layers: [packed.descriptor] },
    },
    'manifest.v1+json',
  );
  const annotations = {
    'io.containerd.image.name': `docker.io/library/${name}:${facts.version}`,
    'org.opencontainers.image.ref.name': facts.version,
  };
  const platform = { architecture: parts.architecture, os: 'linux' };
  const index = { schemaVersion: 2, manifests: [{ ...manifest.descriptor, platform, annotations }] };
  const files = [
    fileEntry('oci-layout', JSON.stringify({ imageLayoutVersion: '1.0.0' })),
    fileEntry('index.json', JSON.stringify(index)),
    ...[packed, config, manifest].map(({ content, descriptor: { digest } }) =>
      fileEntry(`blobs/${digest.replace(':', '/')}`, content),
    ),
  ];
  return tar(files, facts.time);
}

function configOf(
  layer: Buffer,
  { settings, architecture }: Pick<ImageParts, 'settings' | 'architecture'>,
  { time, version }: ReleaseFacts,
): object {
  const { env, user, entrypoint, command, volumes, ports, stopSignal, healthCheck } = settings;
  const created = new Date(time * 1000).toISOString();
  return {
    ...{ created, architecture, os: 'linux' },
    config: {
      ...(user === undefined ? {} : { User: user }),
      Env: Object.entries(env).map(([variable, value]) => `${variable}=${value}`),
      ...{ Entrypoint: entrypoint, Cmd: command },
      Volumes: Object.fromEntries(volumes.map((path) => [path, {}])),
      ExposedPorts: Object.fromEntries(ports.map((port) => [`${port}/tcp`, {}])),
      ...(stopSignal === undefined ? {} : { StopSignal: stopSignal }),
      // Docker's own: OCI has no checks.
      ...(healthCheck.length === 0 ? {} : { Healthcheck: { Test: ['CMD', ...healthCheck] } }),
      Labels: { 'org.opencontainers.image.version': version },
    },
    rootfs: { type: 'layers', diff_ids: [`sha256:${hash('sha256', layer, 'hex')}`] },
    history: [{ created, created_by: 'npm run release' }],
  };
}

function jsonBlob(value: object, type: string): Blob {
  return blob(Buffer.from(JSON.stringify(value)), type);
}

function blob(content: Buffer, type: string): Blob {
  const digest = `sha256:${hash('sha256', content, 'hex')}`;
  return { content, descriptor: { mediaType: `${TYPES}.${type}`, digest, size: content.length } };
}
