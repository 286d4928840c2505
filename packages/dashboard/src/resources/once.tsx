/** Secrets that the API shows in the response to a creation, and never again. */
import { Copy } from '@underpass/ui/copy.tsx';
import { send } from '../api/http.ts';

/** The texts of a response that a later read does not have. Rejects with ApiError. */
export async function secretsShownOnce(
  created: Readonly<Record<string, unknown>>,
  path: string,
): Promise<Readonly<Record<string, string>>> {
  const { data } = await send<Readonly<Record<string, unknown>>>({ method: 'GET', path });
  const secrets = Object.entries(created).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && entry[1] !== '' && (data[entry[0]] === null || data[entry[0]] === ''),
  );
  return Object.fromEntries(secrets);
}

interface OnceParts {
  readonly secrets: Readonly<Record<string, string>>;
  readonly id: string;
  readonly done: () => void;
}

export function Once({ secrets, id, done }: OnceParts) {
  return (
    <section class="once" aria-label="Shown once">
      <h1>Copy it now</h1>
      <p>
        <code>{id}</code> is created. This is shown once:
      </p>
      {Object.entries(secrets).map(([name, value]) => (
        <p key={name} class="command">
          {name.replaceAll('_', ' ')}: <code>{value}</code> <Copy what={name} text={value} />
        </p>
      ))}
      <button type="button" class="primary" onClick={done}>
        Done
      </button>
    </section>
  );
}
