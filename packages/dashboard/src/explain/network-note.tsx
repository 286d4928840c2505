/** States that the explained address is the first one of a network, because the request log has no more of the visitor. */
import { query } from '../router.ts';

/** State of the page for the address in a record. */
export function addressState(recorded: string): Readonly<Record<string, string>> {
  const [ip = '', length] = recorded.split('/');
  return length === undefined ? { ip } : { ip, network: recorded };
}

export function NetworkNote() {
  const network = query.value.get('network') ?? '';
  const isFirst = network !== '' && network.split('/')[0] === query.value.get('ip');
  if (!isFirst) return null;
  return (
    <p class="remark">
      The request log has only the network {network} of the visitor, so its first address is explained. Enter
      the whole address to be sure.
    </p>
  );
}
