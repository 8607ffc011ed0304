import { MemoryStore } from '../support/memory-store.js';
import { describePassageStore } from './passage-store-contract.js';

describePassageStore('the plain store in memory', async () => new MemoryStore());
