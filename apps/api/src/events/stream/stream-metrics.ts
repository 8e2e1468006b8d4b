import { Counter, Gauge, type Registry } from 'prom-client'

export interface StreamMetrics {
  /** Open connections to `/api/events`. */
  readonly listeners: Gauge
  /** Events that listeners received from the journal. */
  readonly replayed: Counter
  /** Listeners that were disconnected because they read too slowly. */
  readonly cutOff: Counter
}

export function createStreamMetrics(registry: Registry): StreamMetrics {
  const registers = [registry]
  return {
    listeners: new Gauge({ name: 'papermoon_event_listeners', help: 'Open connections of /api/events.', registers }),
    replayed: new Counter({
      name: 'papermoon_events_replayed_total',
      help: 'Events that listeners got from the journal.',
      registers,
    }),
    cutOff: new Counter({
      name: 'papermoon_event_listeners_cut_off_total',
      help: 'Listeners that were cut off because they read too slowly.',
      registers,
    }),
  }
}
