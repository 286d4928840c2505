/** Leads to trust in the authority of this service, if it has one of its own. */
import { useSignal } from '@preact/signals';
import { Command } from './new-agent.tsx';
import { type OwnAuthority, SYSTEMS, type System, trustSteps } from './trust.ts';

export function TrustView({ authority }: { authority: OwnAuthority }) {
  const system = useSignal<System>('Debian, Ubuntu');
  const { href: url } = new URL(authority.certificate_path, location.origin);
  return (
    <section class="related" aria-label="Trust the authority">
      <h2>Trust the authority of this service</h2>
      <p>
        This service signs its certificates itself. Browsers warn until they trust its authority. Agents need
        only the fingerprint in their command.
      </p>
      <p>
        <a class="button" href={url} download="underpass-ca.crt">
          Download the certificate
        </a>
      </p>
      <p>Its SHA-256 fingerprint:</p>
      <Command what="fingerprint" text={authority.fingerprint} />
      <form class="filters" aria-label="System" onSubmit={(event) => event.preventDefault()}>
        <label>
          The system or browser is
          <select
            value={system.value}
            onChange={(event) => {
              system.value = event.currentTarget.value as System;
            }}
          >
            {SYSTEMS.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      </form>
      {trustSteps(system.value, url).map(({ about, command }) => (
        <div key={about}>
          <p>{about}</p>
          {command !== '' && <Command what="command" text={command} />}
        </div>
      ))}
    </section>
  );
}
