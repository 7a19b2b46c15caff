internal import WharfCore

/// The former name of a ``Repository`` over a source.
@available(*, deprecated, renamed: "Repository")
public typealias RemoteRepository<Model: Identifiable & Sendable> = Repository<Model> where Model.ID: Sendable

/// The former name of a ``Repository`` over a store.
@available(*, deprecated, renamed: "Repository")
public typealias StoredRepository<Model: Identifiable & Sendable> = Repository<Model> where Model.ID: Sendable
