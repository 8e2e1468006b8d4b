import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { planContainers } from '../../src/cluster/container-plan.ts'
import { renderMachine, renderNginx, renderProxy } from '../../src/templates/render-cluster.ts'
import { renderTemplate } from '../../src/templates/render-template.ts'

const PASSWORDS = {
  PAPERMOON_PASSWORD: 'one',
  SUPERUSER_PASSWORD: 'two',
  REPLICATOR_PASSWORD: 'three',
  REWINDER_PASSWORD: 'four',
}
const plan = planContainers(PASSWORDS)
const [first] = plan.machines
if (first === undefined) throw new Error('there is no machine')
const files = new Map(renderMachine(plan, first).map(({ name, text }) => [name, text]))
const read = (name: Parameters<typeof renderTemplate>[0]) => files.get(name) ?? ''

describe('a template', () => {
  it('refuses to be filled in without one of its values', () => {
    expect(() => renderTemplate('haproxy.cfg', { servers: '' })).toThrow('deploy/templates/haproxy.cfg needs a value')
  })

  it('leaves no placeholder', () => {
    const all = [...files.values(), renderProxy(plan).text, renderNginx('3000', ['node-1:3000'], '/tmp').text]
    for (const text of all) expect(text).not.toMatch(/\{\{|\}\}/)
  })
})

describe('Patroni', () => {
  const { bootstrap, postgresql, etcd3 } = parse(read('patroni.yml'))
  const { dcs } = bootstrap

  it('acknowledges nothing that one machine alone has, and prefers a standby to a leader that crashed', () => {
    expect(dcs).toMatchObject({ synchronous_mode: true, synchronous_mode_strict: true, primary_start_timeout: 0 })
    expect(dcs.postgresql.parameters).toMatchObject({ synchronous_commit: 'on', restart_after_crash: 'off' })
  })

  it('gives up the lead before its key can expire', () => {
    expect(dcs.loop_wait + 2 * dcs.retry_timeout).toBeLessThan(dcs.ttl)
  })

  it('clones without a slot that a commit could take for a standby', () => {
    expect(postgresql.basebackup).toEqual([{ checkpoint: 'fast' }, { 'wal-method': 'fetch' }])
  })

  it('reaches every member of etcd, and archives with the file of its own machine', () => {
    const { 'initial-cluster': members } = parse(read('etcd.yml'))
    expect(members.split(',')).toHaveLength(plan.machines.length)
    expect(etcd3.hosts).toEqual(plan.machines.map(({ etcdAddress }) => `${etcdAddress}:2379`))
    expect(postgresql.parameters.archive_command).toContain('--config=/config/pgbackrest.conf')
  })

  it('lets the server’s role into no database but its own, and pg_rewind into the one it asks', () => {
    const lines = read('create-database.sh').split('\n')
    expect(lines).toContain('revoke connect, temporary on database papermoon from public;')
    expect(lines).toContain('revoke connect on database postgres from public;')
    expect(lines).toContain(`grant connect on database postgres to ${postgresql.authentication.rewind.username};`)
  })

  it('backs up as the superuser of PostgreSQL, whoever runs the processes', () => {
    expect(read('pgbackrest.conf').split('\n')).toContain(`pg1-user=${postgresql.authentication.superuser.username}`)
  })

  it('takes only passwords that need no quoting in any of the files', () => {
    expect(() => planContainers({ ...PASSWORDS, REWINDER_PASSWORD: "x'; drop" })).toThrow('REWINDER_PASSWORD')
    expect(() => planContainers({})).toThrow('PAPERMOON_PASSWORD')
  })
})

describe('HAProxy', () => {
  it('asks every Patroni who leads, and ends the sessions of one that no longer does', () => {
    const { text } = renderProxy(plan)
    for (const { name } of plan.machines) expect(text).toContain(`server ${name} ${name}:5432 check port 8008`)
    expect(text.match(/on-marked-down shutdown-sessions/g)).toHaveLength(2)
    expect(text).toContain('OPTIONS /primary')
  })
})
