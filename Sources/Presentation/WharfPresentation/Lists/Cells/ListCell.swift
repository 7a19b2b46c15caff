/// A cell that gets a model and renders itself.
///
/// ```swift
/// struct FilmLine: ListCell {
///     func render(_ film: Film) -> String { "\(film.year)  \(film.title)" }
/// }
///
/// final class FilmCell: UITableViewCell, @MainActor ListCell {
///     func render(_ film: Film) -> UITableViewCell {
///         textLabel?.text = film.title
///         return self
///     }
/// }
/// ```
public protocol ListCell<Model, Rendering> {
    /// The model that the cell shows.
    associatedtype Model
    /// The unit that the list is built of: a framework's cell, a view, a line of text.
    associatedtype Rendering

    /// Shows a model. A recycled cell gets this call again with another model.
    func render(_ model: Model) -> Rendering
}
