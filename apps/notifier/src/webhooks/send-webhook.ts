/**
 * Sends one signed webhook (Standard Webhooks: `webhook-id`, `webhook-timestamp`, `webhook-signature`). The id is the case's, so that a
 * receiver can drop a repetition.
 */
import { egressLookup, egressProblem, type Egress } from '@lacuna/connectors';
import { Webhook } from 'standardwebhooks';
import { Agent, request } from 'undici';

export interface WebhookTarget {
  readonly url: string;
  /** `whsec_` and base64, or plain text. Never logged. */
  readonly secret: string;
  readonly egress: Egress;
}

export type WebhookOutcome = { readonly ok: true } | { readonly ok: false; readonly problem: string };

const REQUEST_MS_MAX = 10_000;
const ANSWER_BYTES_MAX = 65_536;

export class WebhookSender {
  readonly #url: URL;
  readonly #agent: Agent;
  readonly #webhook: Webhook;

  constructor(private readonly target: WebhookTarget) {
    this.#url = new URL(target.url);
    this.#agent = new Agent({ connect: { lookup: egressLookup(target.egress), timeout: REQUEST_MS_MAX } });
    this.#webhook = signerOf(target.secret);
  }

  /** Redirects are not followed; any 2xx is an acceptance. */
  async send(id: string, body: string, now: Date): Promise<WebhookOutcome> {
    const refused = egressProblem(this.#url, this.target.egress);
    if (refused !== null) return { ok: false, problem: `${refused}: add it to LACUNA_EGRESS_ALLOW` };
    try {
      const response = await request(this.#url, {
        method: 'POST',
        dispatcher: this.#agent,
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
          'webhook-signature': this.#webhook.sign(id, now, body),
        },
        body,
        signal: AbortSignal.timeout(REQUEST_MS_MAX),
      });
      await response.body.dump({ limit: ANSWER_BYTES_MAX });
      return response.statusCode >= 200 && response.statusCode < 300
        ? { ok: true }
        : { ok: false, problem: `the receiver answered ${response.statusCode}` };
    } catch (error) {
      return {
        ok: false,
        problem: `the receiver could not be reached (${(error as NodeJS.ErrnoException).code ?? (error as Error).name})`,
      };
    }
  }

  close(): Promise<void> {
    return this.#agent.close();
  }
}

function signerOf(secret: string): Webhook {
  if (!secret.startsWith('whsec_')) return new Webhook(Buffer.from(secret), { format: 'raw' });
  try {
    return new Webhook(secret);
  } catch {
    throw new Error('LACUNA_WEBHOOK_SECRET begins with whsec_, but what follows is not base64');
  }
}
