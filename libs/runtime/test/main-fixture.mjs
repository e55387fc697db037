/** A service without topics of its own, as the main program of a process: from the built packages, in plain Node. */
import { runMain } from '@lacuna/runtime';

class EmptyModule {}

await runMain({ name: 'notifier', schema: 'notifier', migrations: [], consumes: [], module: EmptyModule });
