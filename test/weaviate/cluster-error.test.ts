import { expect, test } from 'vitest';
import { clusterError, isRetryable } from '#src/weaviate/connection/cluster-error.js';

const HOSTS = ['http://10.0.0.1:8080'];

test.each([
  'Query call with protocol gRPC failed with message: 14 UNAVAILABLE: No connection established.',
  'dial tcp 10.0.0.2:7101: connect: connection refused',
  'read tcp 10.0.0.1:51234->10.0.0.2:7101: read: connection reset by peer',
  'write tcp 10.0.0.1:51234->10.0.0.2:7101: write: broken pipe',
  'Post "http://10.0.0.2:7101/replicas/indices": unexpected EOF',
  'context deadline exceeded',
])('a request that a node does not answer is repeated, to it or to another node: %s', (message) => {
  const error = new Error('The request failed.', { cause: new Error(message) });
  expect(isRetryable(error)).toBe(true);
  expect(clusterError(error, HOSTS)).toMatchObject({ code: 'CLUSTER_UNAVAILABLE', cause: error });
});

test.each([
  ['no such prop with name "colour" found in class "WaymarkFiles"', 'CLUSTER_FAILED'],
  ['write /data/segment: no space left on device', 'DISK_FULL'],
  ['7 PERMISSION_DENIED: forbidden', 'CLUSTER_UNAUTHORIZED'],
])('a request that would fail on every node is not repeated: %s', (message, code) => {
  const error = new Error(message);
  expect(isRetryable(error)).toBe(false);
  expect(clusterError(error, HOSTS)).toMatchObject({
    code,
    message: expect.stringMatching(/http:\/\/10\.0\.0\.1:8080\.$/),
  });
});

test('a request for a missing tenant is repeated, and means a deleted bot if the tenant stays missing', () => {
  const error = new Error('tenant not found: "b1"');
  expect([isRetryable(error), clusterError(error, HOSTS).code]).toEqual([true, 'BOT_MISSING']);
});
