import { expect, test } from 'vitest';
import { nodeAddress } from '#src/weaviate/connection/cluster-options.js';

test.each([
  ['http://10.0.0.1:8080', { host: '10.0.0.1', port: 8080, grpcPort: 50_051, secure: false }],
  ['http://10.0.0.1:8080/?grpc=50052', { host: '10.0.0.1', port: 8080, grpcPort: 50_052, secure: false }],
  ['https://search.example.com', { host: 'search.example.com', port: 443, grpcPort: 50_051, secure: true }],
  ['http://[::1]', { host: '[::1]', port: 80, grpcPort: 50_051, secure: false }],
])('this is accepted as the address of a node: %s', (shown, address) => {
  expect(nodeAddress(shown)).toEqual({ shown, ...address });
});

test.each([
  '10.0.0.1:8080',
  'grpc://10.0.0.1:50051',
  'http://10.0.0.1:8080/v1',
  'http://key@10.0.0.1:8080',
  'http://10.0.0.1:8080?grpc=',
  'http://10.0.0.1:8080?grpc=70000',
  'http://10.0.0.1:8080?port=50052',
])('this is refused as the address of a node: %s', (shown) => {
  expect(nodeAddress(shown)).toBeUndefined();
});
