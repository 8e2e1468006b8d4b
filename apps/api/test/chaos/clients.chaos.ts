import { needs } from '@papermoon/db/testing'
import { expect, it } from 'vitest'
import { sufferClients } from './faults/clients.ts'

/** More, and until the server cuts them off: `npm run chaos -- clients`. */
const CLIENTS = 1_000

// Elsewhere the metric of open descriptors is missing.
it('clients who send nothing, half a request, or never read cost bounded memory, while others trade on', {
  timeout: 180_000,
  ...needs('Linux', process.platform === 'linux'),
}, async () => {
  const { acknowledged, clients } = await sufferClients({ clients: CLIENTS, isPatient: false })
  expect(clients).toBe(CLIENTS)
  expect(acknowledged).toBeGreaterThan(0)
})
