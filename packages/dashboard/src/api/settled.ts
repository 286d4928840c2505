/** A value that follows a fast one, such as the text of a search, once it rests. */
import { useEffect, useState } from 'preact/hooks';

const REST_MS = 200;

export function useSettled<T>(value: T): T {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(() => value), REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
