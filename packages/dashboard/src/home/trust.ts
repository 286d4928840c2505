/** Commands by which systems trust the authority of this service. */

/** The part of `/join.json` about the service's own authority. */
export interface OwnAuthority {
  readonly certificate_path: string;
  readonly fingerprint: string;
}

export const SYSTEMS = [
  'Debian, Ubuntu',
  'Fedora, RHEL',
  'macOS',
  'Windows',
  'Firefox',
  'Chrome on Linux',
] as const;
export type System = (typeof SYSTEMS)[number];

/** A remark, or a command to copy. */
export interface TrustStep {
  readonly about: string;
  /** '' for none. */
  readonly command: string;
}

const FILE = 'underpass-ca.crt';
const DER = `openssl x509 -in ${FILE} -outform der`;

/** The steps of a system. `url`: of the certificate. */
export function trustSteps(system: System, url: string): readonly TrustStep[] {
  return [
    ...(system === 'Firefox' ? [] : [{ about: 'Download:', command: downloadOf(system, url) }]),
    { about: 'Compare the fingerprint with the one above:', command: compareOf(system) },
    ...installationOf(system),
  ];
}

/** The authority is not trusted yet. The fingerprint proves the file. */
function downloadOf(system: System, url: string): string {
  const curl = system === 'Windows' ? 'curl.exe' : 'curl';
  return `${curl} --insecure --fail --output ${FILE} ${url}`;
}

function compareOf(system: System): string {
  if (system === 'Windows')
    return `[Security.Cryptography.X509Certificates.X509Certificate2]::new("$PWD\\${FILE}").GetCertHashString("SHA256")`;
  return system === 'macOS' ? `${DER} | shasum -a 256` : `${DER} | sha256sum`;
}

function installationOf(system: System): readonly TrustStep[] {
  switch (system) {
    case 'Debian, Ubuntu':
      return [trust(`sudo cp ${FILE} /usr/local/share/ca-certificates/ && sudo update-ca-certificates`)];
    case 'Fedora, RHEL':
      return [trust(`sudo cp ${FILE} /etc/pki/ca-trust/source/anchors/ && sudo update-ca-trust`)];
    case 'macOS':
      return [
        trust(`sudo security add-trusted-cert -d -r trustRoot -k /Library/Keychains/System.keychain ${FILE}`),
      ];
    case 'Windows':
      return [
        {
          about: 'Trust it, in a PowerShell of an administrator:',
          command: `certutil -addstore Root ${FILE}`,
        },
      ];
    case 'Chrome on Linux':
      return [
        {
          about: 'Install certutil. Its package is libnss3-tools on Debian and nss-tools on Fedora.',
          command: '',
        },
        trust(`certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n underpass -i ${FILE}`),
      ];
    case 'Firefox':
      return [
        {
          about:
            'Open Settings, Privacy & Security, View Certificates, Authorities, Import. Select the file, and trust it to identify websites.',
          command: '',
        },
      ];
    default:
      return system satisfies never;
  }
}

function trust(command: string): TrustStep {
  return { about: 'Trust it:', command };
}
