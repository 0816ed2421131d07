import type { ResolvedDivision } from '../shared/division.ts';
import { Affinity } from './affinity.ts';
import { checkServer, type Client, type Server } from './driver.ts';
import { facadeOf } from './facade.ts';
import { Gate } from './gate.ts';

const kDivided: unique symbol = Symbol.for('watertight.divided');

/** The hooks on one client: a gate at each of its servers, which come and go. */
export class DividedClient {
  readonly client: Client & { [kDivided]?: boolean };
  readonly division: ResolvedDivision;
  readonly #affinity = new Affinity();
  readonly #gates = new Map<Server, Gate>();
  readonly #facades = new Map<string, Client>();

  /** @throws when the client is divided already, or the driver is not supported. */
  constructor(client: Client, division: ResolvedDivision) {
    this.client = client;
    this.division = division;
    if (this.client[kDivided]) {
      throw new Error('watertight/mongoose: the connections of this client are divided already');
    }
    for (const server of this.#servers()) this.#add(server);
    Object.defineProperty(client, kDivided, { configurable: true, value: true });
    client.on('connectionPoolCreated', this.#onPoolCreated);
    client.on('connectionPoolClosed', this.#onPoolClosed);
  }

  get gates(): Iterable<Gate> {
    return this.#gates.values();
  }

  facade(name: string): Client {
    let facade = this.#facades.get(name);
    if (!facade) this.#facades.set(name, (facade = facadeOf(this.client, name)));
    return facade;
  }

  remove(): void {
    this.client.off('connectionPoolCreated', this.#onPoolCreated);
    this.client.off('connectionPoolClosed', this.#onPoolClosed);
    delete this.client[kDivided];
    for (const gate of this.gates) gate.remove();
    this.#gates.clear();
  }

  #servers(): Iterable<Server> {
    return this.client.topology?.s.servers.values() ?? [];
  }

  #add(server: Server): void {
    checkServer(server);
    this.#gates.set(server, new Gate(server, this.division, this.#affinity));
  }

  // Told in the turn in which the pool is made, before anybody can check out of it.
  readonly #onPoolCreated = (): void => {
    for (const server of this.#servers()) {
      if (this.#gates.has(server)) continue;
      try {
        this.#add(server);
      } catch (error) {
        // Nobody would hear it here, and nothing may go past the partitions.
        server.command = () => Promise.reject(error);
      }
    }
  };

  readonly #onPoolClosed = (): void => {
    for (const [server, gate] of this.#gates) {
      if (!gate.isClosed) continue;
      gate.leaveToDriver();
      this.#gates.delete(server);
    }
  };
}
