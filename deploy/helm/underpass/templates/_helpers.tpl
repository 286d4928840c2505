{{- define "underpass.name" -}}
{{- $name := ternary .Release.Name (printf "%s-underpass" .Release.Name) (contains "underpass" .Release.Name) -}}
{{- trunc 52 $name | trimSuffix "-" -}}
{{- end -}}

{{- define "underpass.selector" -}}
app.kubernetes.io/name: underpass
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "underpass.labels" -}}
{{ include "underpass.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}
