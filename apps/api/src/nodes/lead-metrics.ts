import type { LeadFigures, LedEngine } from '@papermoon/engine'
import { Counter, Gauge, type Registry } from 'prom-client'

/** Metrics of a node that shares its engine with others. */
export function registerLeadMetrics(registry: Registry, engine: LedEngine): void {
  const registers = [registry]
  const gauges: Readonly<Record<string, readonly [help: string, get: (figures: LeadFigures) => number]>> = {
    papermoon_engine_is_leading: [
      '1 while this node leads: the others forward their orders to it.',
      (it) => Number(it.isLeading),
    ],
    papermoon_engine_term: ['Number of the leader that this node knows; 0: none.', (it) => it.term],
    papermoon_engine_is_linked: ['1 while this node forwards its orders to the leader.', (it) => Number(it.isLinked)],
    papermoon_orders_forwarding: ['Forwarded orders that wait for the answer of the leader.', (it) => it.underWay],
    papermoon_engine_followers: ['Nodes that forward their orders to this one.', (it) => it.followers],
  }
  for (const [name, [help, get]] of Object.entries(gauges)) {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(get(engine.getFigures()))
      },
    })
  }
  new Counter({
    name: 'papermoon_orders_forwarded_total',
    help: 'Orders that this node forwarded to the leader.',
    registers,
    collect() {
      this.reset()
      this.inc(engine.getFigures().forwarded)
    },
  })
  new Counter({
    name: 'papermoon_orders_fallbacks_total',
    help: 'Forwarded orders that ran on this node after all: declined by the leader, or repeated by their key after a lost answer.',
    labelNames: ['reason'] as const,
    registers,
    collect() {
      this.reset()
      for (const [reason, count] of Object.entries(engine.getFigures().fallbacks)) this.inc({ reason }, count)
    },
  })
}
