"""A conversation held with a graph that answers by rote."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.graph import END, START, StateGraph

from memwarden import UserMemory
from memwarden.session import SessionState
from memwarden.session.histories import for_the_person


async def graph_of(user: UserMemory) -> Any:
    """Return a graph that keeps a transcript."""

    def answer(state: SessionState) -> dict[str, list[AnyMessage]]:
        said = state["messages"][-1]
        answered = AIMessage(f"About that: {said.text.split()[0]}", id=f"{said.id}-answer")
        return {"messages": [answered], "transcript": for_the_person([said, answered])}

    builder = StateGraph(SessionState).add_node(answer).add_edge(START, "answer").add_edge("answer", END)
    return builder.compile(checkpointer=await user.checkpointer())


async def say(user: UserMemory, conversation_id: str, *texts: str) -> None:
    """Say something in a conversation, and have it answered; messages are called m0, m1 and so on."""
    graph = await graph_of(user)
    config = {"configurable": {"thread_id": conversation_id}}
    for text in texts:
        said = len((await graph.aget_state(config)).values.get("messages", ())) // 2
        await graph.ainvoke({"messages": [HumanMessage(text, id=f"m{said}")]}, config)
