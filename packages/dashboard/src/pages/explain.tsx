/** Explains the decision about a request, step by step. Nothing is sent to a backend. */
import { useSignal } from '@preact/signals';
import type { Explanation, ExplanationRequest, ExplanationStep } from '@underpass/client';
import { Copy } from '@underpass/ui/copy.tsx';
import { Failure, Loading } from '@underpass/ui/states.tsx';
import { Status } from '@underpass/ui/status.tsx';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { AllowLink } from '../address-rule/link.tsx';
import { ApiError, send } from '../api/http.ts';
import { checkOf } from '../explain/check.ts';
import { NetworkNote } from '../explain/network-note.tsx';
import { leftOut, Trial } from '../explain/without.tsx';
import { href, query, setQuery } from '../router.ts';

const COLOURS = { passed: 2, refused: 5, answered: 3, skipped: 'none', not_reached: 'none' } as const;

export default function Explain() {
  const result = useSignal<Explanation | null>(null);
  const asked = useSignal<ExplanationRequest | null>(null);
  const error = useSignal<ApiError | null>(null);
  const isAsking = useSignal(false);
  const headers = useSignal('');
  const certificate = useSignal('');
  const ask = async () => {
    const question = questionOf(headers.value, certificate.value);
    if (question === null) return;
    isAsking.value = true;
    try {
      result.value = (await send<Explanation>({ method: 'POST', path: '/explain', body: question })).data;
      asked.value = question;
      error.value = null;
    } catch (cause) {
      result.value = null;
      error.value = cause instanceof ApiError ? cause : new ApiError(String(cause), 0);
    } finally {
      isAsking.value = false;
    }
  };
  // A link with all values is explained at once.
  useEffect(() => void ask(), []);
  return (
    <>
      <h1>Explain</h1>
      <p>Who is served, and why. Nothing is sent to a backend.</p>
      <form
        class="filters"
        aria-label="Request"
        onSubmit={(event) => {
          event.preventDefault();
          void ask();
        }}
      >
        <Text label="URL" name="url" placeholder="https://shop.example.com/admin" />
        <Text label="From address" name="ip" placeholder="203.0.113.9" />
        <Text label="Method" name="method" placeholder="GET" />
        <label>
          Headers
          <textarea
            rows={2}
            placeholder="user-agent: curl"
            value={headers.value}
            onInput={(event) => {
              headers.value = event.currentTarget.value;
            }}
          />
        </label>
        <label>
          Client certificate (PEM)
          <textarea
            rows={2}
            value={certificate.value}
            onInput={(event) => {
              certificate.value = event.currentTarget.value;
            }}
          />
        </label>
        <button type="submit" class="primary">
          Explain
        </button>
      </form>
      <NetworkNote />
      {isAsking.value && <Loading what="the explanation" />}
      {error.value !== null && <Failure error={error.value} retry={() => void ask()} />}
      {result.value !== null && (
        <Steps explanation={result.value} question={asked.value} again={() => void ask()} />
      )}
    </>
  );
}

/** Returns null without a URL and an address. */
function questionOf(headers: string, certificate: string): ExplanationRequest | null {
  const [url, ip, method] = ['url', 'ip', 'method'].map((name) => query.value.get(name) ?? '');
  if (url === undefined || url === '' || ip === undefined || ip === '') return null;
  const lines = headers.split('\n').filter((line) => line.includes(':'));
  const fields = lines.map((line) => {
    const at = line.indexOf(':');
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()] as const;
  });
  return {
    ...{ url, client_ip: ip },
    ...(method === undefined || method === '' ? {} : { method }),
    ...(fields.length === 0 ? {} : { headers: Object.fromEntries(fields) }),
    ...(certificate === '' ? {} : { client_certificate: certificate }),
    ...(leftOut().length === 0 ? {} : { without: leftOut() }),
  };
}

function Text({ label, name, placeholder }: { label: string; name: string; placeholder: string }) {
  return (
    <label class={name === 'url' ? 'wide' : ''}>
      {label}
      <input
        value={query.value.get(name) ?? ''}
        placeholder={placeholder}
        onInput={(event) => setQuery({ [name]: event.currentTarget.value.trim() })}
      />
    </label>
  );
}

interface StepsParts {
  readonly explanation: Explanation;
  /** The request that was explained. */
  readonly question: ExplanationRequest | null;
  readonly again: () => void;
}

function Steps({ explanation, question, again }: StepsParts) {
  const { outcome, status_code, error_code, steps } = explanation;
  const check = question === null ? null : checkOf(question, explanation);
  const kind = outcome === 'served' ? 2 : outcome === 'redirected' ? 3 : 5;
  return (
    <section class="related" aria-label="Explanation">
      <h2>
        <Status kind={kind}>{outcome}</Status> {status_code === 0 ? '' : status_code} {error_code}
      </h2>
      {check !== null && (
        <p>
          <Copy what="as a check" text={check} label="Copy as a check" />
        </p>
      )}
      <ol class="steps">
        {steps.map((step, at) => (
          <Step key={`${at} ${step.step}`} step={step}>
            <Trial step={step} again={again} />{' '}
            <AllowLink {...{ explanation, step }} ip={query.value.get('ip') ?? ''} />
          </Step>
        ))}
      </ol>
    </section>
  );
}

interface StepParts {
  readonly step: ExplanationStep;
  /** The next actions. */
  readonly children: ComponentChildren;
}

function Step({ step: { step, outcome, resource, error_code, why }, children }: StepParts) {
  return (
    <li>
      <strong>{step.replaceAll('_', ' ')}</strong>{' '}
      <Status kind={COLOURS[outcome]}>{outcome.replaceAll('_', ' ')}</Status> {error_code}{' '}
      {/^\w+_\w{27}$/.test(resource) ? <a href={href(['id', resource])}>{resource}</a> : resource} {children}
      {why !== '' && <p>{why}</p>}
    </li>
  );
}
