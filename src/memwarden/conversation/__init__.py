"""Conversations as their users see them in a list: where they are kept, how they live, how their transcripts are read."""

from memwarden.conversation.postgres import PostgresConversations
from memwarden.conversation.store import ConversationStore

__all__ = ["ConversationStore", "PostgresConversations"]
