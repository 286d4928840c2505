/** Remedies for requests of the API that got no response. */
import type { ConnectionError } from '@underpass/client';
import { isCertificateError } from '@underpass/client/certificate-error';

const PLACE = '--api-url, UNDERPASS_API_URL or ./data/bootstrap.json';

/** Returns the remedy; null if there is none but another attempt. */
export function connectionAdvice({ code }: Pick<ConnectionError, 'code'>): string | null {
  if (code.includes('ALTNAME'))
    return 'The certificate is for other names: give the host of the API with --api-url https://api.DOMAIN.';
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return "Renew the certificate, or set this machine's clock.";
  if (code.startsWith('ERR_CA_')) return null;
  if (isCertificateError(code))
    return (
      'Give the authority that signed it, with --ca FILE (ca.pem of the data dir) or with --ca-fingerprint, ' +
      'which "underpassd ca fingerprint" prints. If you gave one, it belongs to another daemon.'
    );
  if (code === 'ECONNREFUSED')
    return `Check that the daemon runs, and that the port is that of its --listen. The address is from ${PLACE}.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `Check the name, and DNS. The address is from ${PLACE}.`;
  return null;
}
