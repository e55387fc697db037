/** The version of the jars and of the container image. */
export const KAFKA_VERSION = '4.4.0';

/**
 * One KRaft node that is broker and controller. The short timeouts let a broker that was killed be back in seconds, and the partitions of
 * a consumer that was killed move in seconds.
 * @param {{ port: number, controllerPort: number, advertisedPort?: number, listenOn?: string, logFolder: string }} node
 * @param {Record<string, string | number | boolean>} [extra]
 * @returns {Record<string, string | number | boolean>}
 */
export function kafkaSettings({ port, controllerPort, advertisedPort = port, listenOn = '127.0.0.1', logFolder }, extra = {}) {
  return {
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    listeners: `PLAINTEXT://${listenOn}:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${advertisedPort}`,
    'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    'log.dirs': logFolder,
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'transaction.state.log.num.partitions': 4,
    'share.coordinator.state.topic.replication.factor': 1,
    'share.coordinator.state.topic.min.isr': 1,
    'group.initial.rebalance.delay.ms': 0,
    'group.min.session.timeout.ms': 1000,
    'broker.session.timeout.ms': 1500,
    'broker.heartbeat.interval.ms': 300,
    'auto.create.topics.enable': false,
    ...extra,
  };
}

/** The text of server.properties.
 * @param {Record<string, string | number | boolean>} settings */
export function toProperties(settings) {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${String(value).replaceAll('\\', '\\\\')}\n`)
    .join('');
}

/** The container image takes a setting as a variable of its environment.
 * @param {Record<string, string | number | boolean>} settings */
export function toContainerEnv(settings) {
  return Object.entries(settings).map(([name, value]) => `KAFKA_${name.toUpperCase().replaceAll('.', '_')}=${value}`);
}
