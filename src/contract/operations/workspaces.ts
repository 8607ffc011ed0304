import { z } from '../../domain/zod.js';
import { field } from '../fields/field.js';
import { nextTokenField, pageMetaSchema, pageSizeField } from '../fields/page.js';
import { refusedFields } from '../fields/refused-fields.js';
import { idSchema, nameSchema } from '../names.js';
import type { HttpOperation, ResponseOf } from '../operation.js';

/** A workspace is a name and its bots: fields for parts of the contract that are not served are empty. */
export const workspaceSchema = z
  .object({
    id: z.string().describe('A UUID.'),
    name: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    botCount: z.int().describe('The number of its bots that the token gives access to.'),
    ownerId: z.string().describe('Always empty.'),
    /** Always `v4`. */
    billingVersion: z.enum(['v1', 'v2', 'v3', 'v4']),
    /** Always `community`. */
    plan: z.enum(['community', 'team', 'enterprise', 'plus', 'managed']),
    blocked: z.boolean().describe('Always false.'),
    spendingLimit: z.number().describe('Always 0.'),
    activeTrialId: z.string().nullable().describe('Always null.'),
  })
  .meta({ title: 'Workspace' });

const idField = field(idSchema, 'Which workspace.');

/** Lists workspaces. No workspace has a handle: a filter for one finds none. */
export const listWorkspaces = {
  id: 'listWorkspaces',
  summary: "List workspaces, newest first, a page at a time: over HTTP, the token's own",
  permission: 'admin',
  method: 'GET',
  path: '/v1/admin/workspaces',
  withoutWorkspaceId: true,
  request: z.object({
    nextToken: nextTokenField,
    pageSize: pageSizeField,
    handle: field(
      z.string().optional().describe('a string'),
      'Only the workspace with this handle; no workspace has a handle.',
    ),
  }),
  response: z.object({ workspaces: z.array(workspaceSchema), meta: pageMetaSchema }),
  errors: [],
} as const satisfies HttpOperation;

/** Gets a workspace by id or name. */
export const getWorkspace = {
  id: 'getWorkspace',
  summary: "Get a workspace: over HTTP, the token's own",
  permission: 'admin',
  method: 'GET',
  path: '/v1/admin/workspaces/{id}',
  withoutWorkspaceId: true,
  request: z.object({ id: idField }),
  response: workspaceSchema,
  errors: ['WORKSPACE_MISSING'],
} as const satisfies HttpOperation;

/** What the hosted API lets a workspace have besides its name. */
const profile = refusedFields(
  ['spendingLimit', 'about', 'profilePicture', 'contactEmail', 'website', 'socialAccounts', 'isPublic', 'handle'],
  { why: 'a workspace of Waymark has a name, its bots and its tokens' },
);

/** Renames a workspace. */
export const updateWorkspace = {
  id: 'updateWorkspace',
  summary: "Rename a workspace: over HTTP, the token's own",
  permission: 'admin',
  method: 'PUT',
  path: '/v1/admin/workspaces/{id}',
  withoutWorkspaceId: true,
  request: z.object({
    id: idField,
    name: field(nameSchema.optional().describe(nameSchema.description ?? ''), 'The new name.'),
    ...profile,
  }),
  response: workspaceSchema,
  errors: ['WORKSPACE_MISSING', 'WORKSPACE_EXISTS'],
} as const satisfies HttpOperation;

/** A workspace as getWorkspace returns it. */
export type WorkspaceDetails = ResponseOf<typeof getWorkspace>;

/** Completes a workspace with the parts of the contract that mean nothing here. */
export function workspaceDetails(
  workspace: Pick<WorkspaceDetails, 'id' | 'name' | 'createdAt' | 'updatedAt'>,
  { botCount }: Pick<WorkspaceDetails, 'botCount'>,
): WorkspaceDetails {
  return {
    ...workspace,
    botCount,
    ownerId: '',
    billingVersion: 'v4',
    plan: 'community',
    blocked: false,
    spendingLimit: 0,
    activeTrialId: null,
  };
}
