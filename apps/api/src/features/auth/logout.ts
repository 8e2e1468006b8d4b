import type { Context } from '../../context.ts'

export async function logout(_ctx: Context, _input?: unknown): Promise<{ ok: true }> {
  throw new Error('not built yet')
}
