import { Injectable, type PipeTransform } from '@nestjs/common';
import { invalidParameter } from './problems.js';

/** An id in a path, of the form that every id of ours has. */
@Injectable()
export class IdParameter implements PipeTransform<string, string> {
  transform(id: string): string {
    if (!/^[A-Za-z0-9][A-Za-z0-9_.:~-]{0,199}$/.test(id)) throw invalidParameter('id', 'is not an id: letters, digits and _ . : ~ -');
    return id;
  }
}
