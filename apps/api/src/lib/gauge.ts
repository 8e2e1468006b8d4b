import { Gauge, type Registry } from 'prom-client'

/** Registers a gauge whose value is read when Prometheus asks. The gauge is absent while its value is null. */
export function registerGauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => number | null | Promise<number | null>,
): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const figure = await read()
      if (figure === null) this.remove()
      else this.set(figure)
    },
  })
}
