import type { Context } from '../../context.ts'

export async function login(_ctx: Context, _input?: unknown): Promise<{ ok: true }> {
  throw new Error('not built yet')
}
