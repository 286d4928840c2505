/**
 * The events that wait for one client.
 * Invariant: neither their number nor their bytes exceed the limits; the oldest ones are dropped and counted.
 */
import type { StreamTopic } from '../../resources/standalone/stream.ts';
import { eventText } from './event-text.ts';

/** Limits of one queue. */
export interface QueueLimits {
  readonly events: number;
  /** Characters of all texts. */
  readonly size: number;
}

export const QUEUE_LIMITS: QueueLimits = { events: 512, size: 64 * 1024 };

interface Waiting {
  readonly text: string;
  readonly topic: StreamTopic | null;
}

export class EventQueue {
  readonly #limits: QueueLimits;
  readonly #waiting: Waiting[] = [];
  #size = 0;
  #dropped = 0;
  readonly #droppedTopics = new Set<StreamTopic>();

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0 && this.#dropped === 0;
  }

  /** `topic`: null for a text that belongs to none, and is dropped without notice. */
  push(text: string, topic: StreamTopic | null): void {
    this.#waiting.push({ text, topic });
    this.#size += text.length;
    const { events, size } = this.#limits;
    while (this.#waiting.length > events || (this.#size > size && this.#waiting.length > 1)) this.#drop();
  }

  /** Counts events that were dropped before they had a text. */
  countDropped(count: number, topic: StreamTopic): void {
    this.#dropped += count;
    this.#droppedTopics.add(topic);
  }

  /** Takes the next text. Undefined: there is none. */
  shift(): string | undefined {
    if (this.#dropped > 0) return this.#notice();
    const next = this.#waiting.shift();
    if (next !== undefined) this.#size -= next.text.length;
    return next?.text;
  }

  #drop(): void {
    const oldest = this.#waiting.shift();
    if (oldest === undefined) return;
    this.#size -= oldest.text.length;
    if (oldest.topic !== null) this.countDropped(1, oldest.topic);
  }

  #notice(): string {
    const text = eventText('dropped', { count: this.#dropped, topics: [...this.#droppedTopics] });
    this.#dropped = 0;
    this.#droppedTopics.clear();
    return text;
  }
}
