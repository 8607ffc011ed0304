import { describe, expect, it } from 'vitest';
import type { OpenService } from './support/service.js';

/** The rules of operations on workspaces. */
export function describeWorkspaces(open: OpenService): void {
  describe('workspaces', () => {
    it('are listed without naming one, with the number of their bots', async () => {
      const { workspaces, workspaceId } = await open();
      const { workspaces: listed, meta } = await workspaces.listWorkspaces();
      expect(meta).toEqual({});
      const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(listed).toEqual([
        {
          id: workspaceId,
          name: expect.stringMatching(/^work \d+$/),
          createdAt: iso,
          updatedAt: iso,
          botCount: 3,
          ownerId: '',
          billingVersion: 'v4',
          plan: 'community',
          blocked: false,
          spendingLimit: 0,
          activeTrialId: null,
        },
      ]);
      expect(await workspaces.getWorkspace({ id: workspaceId })).toEqual(listed[0]);
      expect(await workspaces.listWorkspaces({ handle: 'acme' })).toEqual({ workspaces: [], meta: {} });
    });

    it('are renamed, and no two share a name', async () => {
      const { workspaces, workspaceId } = await open();
      const { workspaces: others } = await open();
      const [other] = (await others.listWorkspaces()).workspaces;
      const name = `renamed ${workspaceId}`;
      const before = await workspaces.getWorkspace({ id: workspaceId });
      const after = await workspaces.updateWorkspace({ id: before.name, name });
      expect(after).toEqual({ ...before, name, updatedAt: after.updatedAt });
      expect(after.updatedAt >= before.updatedAt).toBe(true);
      await expect(workspaces.updateWorkspace({ id: name, name: other?.name })).rejects.toMatchObject({
        code: 'WORKSPACE_EXISTS',
        message: `A workspace named "${other?.name}" already exists: use it, or choose another name.`,
      });
      expect(await workspaces.getWorkspace({ id: name })).toEqual(after);
    });

    it('are WORKSPACE_MISSING if they belong to others or do not exist', async () => {
      const { workspaces } = await open();
      const { workspaceId: of } = await open();
      for (const id of [of, '00000000-0000-4000-8000-000000000000', 'nowhere']) {
        const missing = {
          code: 'WORKSPACE_MISSING',
          message: `There is no workspace "${id}": listWorkspaces, or "waymark workspace list", lists them.`,
        };
        await expect(workspaces.getWorkspace({ id })).rejects.toMatchObject(missing);
        await expect(workspaces.updateWorkspace({ id, name: 'mine' })).rejects.toMatchObject(missing);
      }
    });

    it('are refused with fields that only a workspace of the hosted API has', async () => {
      const { workspaces, workspaceId: id } = await open();
      await expect(workspaces.updateWorkspace({ id, about: 'us' } as { id: string })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: 'about must be left out: a workspace of Waymark has a name, its bots and its tokens; it is "us".',
      });
    });
  });
}
