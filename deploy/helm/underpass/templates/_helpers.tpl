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

{{- /* Not empty if the daemons have links to each other. */}}
{{- define "underpass.links" -}}
{{- if and .Values.secret .Values.linkPort (not (hasKey .Values.options "link-listen")) (not .Values.options.alone) }}yes{{ end }}
{{- end }}
