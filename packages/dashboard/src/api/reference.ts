/** The OpenAPI document of the service, loaded once, when a page needs it. */
import { signal } from '@preact/signals';
import type { OpenApi } from '@underpass/ui/form/openapi.ts';
import { Reference } from '@underpass/ui/form/reference.ts';
import { useEffect } from 'preact/hooks';
import { ApiError, send } from './http.ts';

const reference = signal<Reference | null>(null);
const error = signal<ApiError | null>(null);
let loading: Promise<void> | null = null;

/** Both are null until the document arrived. */
export function useReference(): { readonly reference: Reference | null; readonly error: ApiError | null } {
  useEffect(() => {
    if (reference.value === null) void loadReference();
  }, []);
  return { reference: reference.value, error: error.value };
}

/** Returns the document. Rejects with ApiError. */
export async function requireReference(): Promise<Reference> {
  if (reference.value === null) await loadReference();
  if (reference.value === null) throw error.value ?? new ApiError('The API sent no document.', 0);
  return reference.value;
}

/** Never rejects. */
export async function loadReference(): Promise<void> {
  loading ??= load().finally(() => {
    loading = null;
  });
  await loading;
}

async function load(): Promise<void> {
  try {
    const { data } = await send<OpenApi>({ method: 'GET', path: '/openapi.json' });
    reference.value = new Reference(data);
    error.value = null;
  } catch (cause) {
    error.value = cause instanceof ApiError ? cause : new ApiError(String(cause), 0);
  }
}
