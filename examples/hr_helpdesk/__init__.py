"""An HR helpdesk assistant with a governed memory: the whole of Memwarden on a believable case."""
