/** The command that explains a request again and expects the same result. Pure. */
import type { Explanation, ExplanationRequest } from '@underpass/client';

/** Returns null for a request with a certificate, which the command reads from a file. */
export function checkOf(
  { url, client_ip, method, headers, client_certificate, without }: ExplanationRequest,
  { outcome, status_code }: Pick<Explanation, 'outcome' | 'status_code'>,
): string | null {
  if (client_certificate) return null;
  const fields = Object.entries(headers ?? {}).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  return [
    ...['underpass', 'explain', url, '--from', client_ip],
    ...(!method ? [] : ['-X', method]),
    ...fields,
    ...(without ?? []).flatMap((module) => ['--without', module]),
    ...['--expect', outcome],
    ...(status_code === 0 ? [] : ['--expect', String(status_code)]),
  ]
    .map(word)
    .join(' ');
}

function word(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
