import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from '../metrics/metrics.ts';
import { SummedMetrics } from './summed-metrics.ts';

const counter = (value: number) => `# HELP a_total Help\n# TYPE a_total counter\na_total{x="y z"} ${value}\n`;

test('counters, gauges and histograms of all workers are added', () => {
  const metrics = new SummedMetrics();
  const more = (count: number) =>
    `${counter(count)}# HELP b Help\n# TYPE b gauge\nb ${count}\n# HELP c Help\n# TYPE c histogram\nc_bucket{le="+Inf"} ${count}\nc_sum 0.5\n`;
  metrics.update(1, more(2));
  metrics.update(2, more(3));
  const lines = metrics.text().split('\n');
  for (const line of ['a_total{x="y z"} 5', 'b 5', 'c_bucket{le="+Inf"} 5', 'c_sum 1'])
    assert.ok(lines.includes(line), line);
  assert.equal(lines.filter((line) => line.startsWith('# TYPE')).length, 3);
});

test('counters go on after the end of a worker, and gauges do not', () => {
  const metrics = new SummedMetrics();
  const gauge = '# HELP b Help\n# TYPE b gauge\nb 7\n';
  metrics.update(1, counter(2) + gauge);
  metrics.update(2, counter(3) + gauge);
  metrics.ended(1);
  assert.match(metrics.text(), /^a_total\{x="y z"\} 5$/m);
  assert.match(metrics.text(), /^b 7$/m);
  metrics.update(1, counter(1));
  metrics.ended(1);
  metrics.update(1, counter(1));
  assert.match(metrics.text(), /^a_total\{x="y z"\} 7$/m);
});

test('what is of one process has the label of its worker', () => {
  const metrics = new SummedMetrics();
  const text = (incarnation: number) =>
    `# HELP process_x Help\n# TYPE process_x counter\nprocess_x 4\n# HELP underpass_node_info Help\n# TYPE underpass_node_info gauge\nunderpass_node_info{incarnation="${incarnation}"} 1\n# HELP underpass_build_info Help\n# TYPE underpass_build_info gauge\nunderpass_build_info{version="1"} 1\n`;
  metrics.update(1, text(10));
  metrics.update(2, text(11));
  metrics.ended(2);
  metrics.update(2, text(12));
  assert.deepEqual(
    metrics
      .text()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#')),
    [
      'process_x{worker="1"} 4',
      'process_x{worker="2"} 4',
      'underpass_node_info{worker="1",incarnation="10"} 1',
      'underpass_node_info{worker="2",incarnation="12"} 1',
      'underpass_build_info{version="1"} 1',
    ],
  );
});

test('no metric of a daemon is lost, and its labels and help stay', async () => {
  const text = await createMetrics('1.2.3').text();
  const metrics = new SummedMetrics();
  metrics.update(1, text);
  const heads = (all: string) => all.split('\n').filter((line) => line.startsWith('#'));
  assert.deepEqual(heads(metrics.text()), heads(text));
  const others = (all: string) =>
    all.split('\n').filter((line) => /^underpass_(?!node|links|remote|tcp_l|store_follower)/.test(line));
  assert.deepEqual(others(metrics.text()), others(text));
});
