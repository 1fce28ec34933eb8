import { IntegerQuery, TextField } from '#platform/http';

export class SearchQuery {
  @TextField({
    description:
      'Text to search for: a part of a name, email address, slug or URL. Case and accents are ignored. A text of one or two characters finds only people whose name or email address begins with it. An id or the complete email address of a user finds exactly this resource or user.',
    maxLength: 254,
    required: true,
    example: 'jane',
  })
  q!: string;

  @IntegerQuery({ description: 'Maximum number of results of each type.', min: 1, max: 20, default: 5 })
  limit?: number;
}
