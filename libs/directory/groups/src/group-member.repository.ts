import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import type { GainAuthorization } from '#directory/privileges';
import { Repository } from 'typeorm';
import { GroupMember } from './group-member.entity.js';

@Injectable()
export class GroupMemberRepository extends BaseRepository<GroupMember> {
  constructor(@InjectRepository(GroupMember) members: Repository<GroupMember>) {
    super(members);
  }

  insertAllDeferred(ctx: RequestContext, members: readonly GroupMember[], _gain: GainAuthorization): void {
    this.insertDeferred(ctx, members);
  }
}
