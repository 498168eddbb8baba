//! Rule packs.
