import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import type { DataSubject } from './data-subject.js';
import { type PersonalDataSection, personalDataSections } from './personal-data-section.js';

/** Returns the rows of a section, or yields batches if there can be many rows. */
type Reader<T> = (ctx: RequestContext, subject: DataSubject) => Promise<readonly T[]> | AsyncGenerator<readonly T[]>;

export interface SectionRows extends Pick<PersonalDataSection, 'name' | 'single'> {
  readonly batches: AsyncGenerator<readonly unknown[]>;
}

/** The port through which libraries contribute the personal data that they store. */
@Injectable()
export class PersonalDataSources {
  private readonly readers = new Map<string, Reader<unknown>>();

  register<T>(section: PersonalDataSection<T>, reader: Reader<T>): void {
    this.readers.set(section.name, reader);
  }

  /** Yields the sections, and for each section the batches of its rows. */
  async *read(ctx: RequestContext, subject: DataSubject): AsyncGenerator<SectionRows> {
    for (const { name, single } of personalDataSections()) {
      const reader = this.readers.get(name);
      if (!reader) throw new Error(`No library reads the section ${name} of personal data.`);
      yield { name, single, batches: batchesOf(reader(ctx, subject)) };
    }
  }
}

async function* batchesOf<T>(rows: ReturnType<Reader<T>>): AsyncGenerator<readonly T[]> {
  if (Symbol.asyncIterator in rows) yield* rows;
  else yield await rows;
}
