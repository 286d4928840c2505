import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseError } from 'pg';
import { isLasting, mayRetry, UnsuitableServerError } from './failure.ts';

function answered(code: string, message = 'no', severity = 'ERROR'): DatabaseError {
  const error = new DatabaseError(message, message.length, 'error');
  error.code = code;
  error.severity = severity;
  return error;
}

test('classes of SQLSTATE are final if waiting does not help', () => {
  for (const code of [
    ...['08004', '0A000', '22001', '22P05', '23505', '26000', '28000', '28P01', '3D000', '3F000'],
    ...[
      '42501',
      '42601',
      '42883',
      '42P01',
      '42P05',
      '54000',
      '55000',
      '57P04',
      '58P01',
      'F0000',
      'P0001',
      'XX001',
    ],
  ]) {
    assert.equal(isLasting(answered(code)), true, code);
    assert.equal(mayRetry(answered(code, 'no', 'FATAL')), false, code);
  }
  for (const code of [
    ...['08000', '08001', '08003', '08006', '08007', '25006', '25P03', '40001', '40P01'],
    ...['53000', '53100', '53200', '53300', '53400', '55006', '55P03'],
    ...['57014', '57P01', '57P02', '57P03', '57P05', '58000', '58030', 'XX000'],
  ])
    assert.equal(isLasting(answered(code)), false, code);
});

test("a pooler's one code lasts or passes by its words", () => {
  const said = (message: string) => isLasting(answered('08P01', message, 'FATAL'));
  for (const message of [
    'unsupported startup parameter: statement_timeout',
    'no such database: nowhere',
    'no such user: nobody',
    'transactions not allowed in statement pooling mode',
  ])
    assert.equal(said(message), true, message);
  for (const message of [
    'query_wait_timeout',
    'pgbouncer cannot connect to server',
    'no more connections allowed (max_client_conn)',
    'server login has been failing, try again later (server_login_retry)',
    'the database system is shutting down',
    'client_idle_timeout',
    'server conn crashed?',
  ])
    assert.equal(said(message), false, message);
});

test('what is no answer passes, and so does a standby; several hosts last when each does', () => {
  const gone = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const untrusted = Object.assign(new Error('self-signed certificate'), {
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  });
  assert.equal(isLasting(gone), false);
  assert.equal(isLasting(new UnsuitableServerError('a standby')), false);
  assert.equal(isLasting(untrusted), true);
  assert.equal(isLasting(new AggregateError([answered('28P01'), gone])), false);
  assert.equal(isLasting(new AggregateError([answered('28P01'), untrusted])), true);
});
