/** The result of an exchange: the status of its gRPC call, or that of HTTP. */
import { Status } from '@underpass/ui/status.tsx';
import type { ExchangeSummary } from '../api-types.ts';
import { resultClass } from '../filter.ts';

interface ResultParts {
  readonly exchange: ExchangeSummary;
  /** The names of codes, and the reason; '' none. */
  readonly reason?: string;
}

export function Result({ exchange, reason }: ResultParts) {
  const { status, grpc, outcome } = exchange;
  const none = outcome === 'open' ? '…' : 'none';
  const text = grpc === null ? String(status ?? none) : `gRPC ${grpc.code}`;
  return (
    <Status kind={resultClass(exchange)} title={grpc?.name}>
      {text} {reason === undefined ? '' : (grpc?.name ?? reason)}
    </Status>
  );
}
