import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { needs } from '@papermoon/db/testing'
import { findFreePorts, findProgram, guardFolder, Nginx } from '@papermoon/deploy'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

describe('nginx in front of nodes', needs('nginx', findProgram('nginx') !== null), () => {
  const folder = mkdtempSync(join(tmpdir(), 'papermoon-nginx-'))
  // Its user must be able to traverse it.
  chmodSync(folder, 0o711)
  const nodes: Server[] = []
  let callOff = () => {}
  beforeAll(async () => {
    callOff = guardFolder(folder)
    for (const name of ['one', 'other']) nodes.push(await startNode(name))
  })
  afterAll(() => {
    callOff()
    for (const node of nodes) node.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('sends new calls to the nodes that it was told of last, from the moment it has started', async () => {
    const [one = 0, other = 0] = nodes.map(toPort)
    const port = await findFreePorts(1)
    const nginx = await Nginx.start({ folder, port, nodePorts: [one] })
    try {
      expect(await ask(port)).toBe('one')
      await nginx.sendTo([other])
      await expect.poll(() => ask(port)).toBe('other')
    } finally {
      await nginx.service.end()
    }
  })

  it('says what its log says when it cannot start', async () => {
    const taken = createTcpServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const starting = Nginx.start({ folder, port: toPort(taken), nodePorts: nodes.map(toPort) })
    await expect(starting).rejects.toThrow(/nginx did not start:.*Address already in use/s)
    taken.close()
  })
})

async function startNode(name: string): Promise<Server> {
  const node = createServer((_, response) => response.end(name)).listen(0, '127.0.0.1')
  await once(node, 'listening')
  return node
}

function toPort(server: { address(): AddressInfo | string | null }): number {
  return (server.address() as AddressInfo).port
}

async function ask(port: number): Promise<string> {
  return await (await fetch(`http://127.0.0.1:${port}/`)).text()
}
